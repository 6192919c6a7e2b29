// Plays a person with a browser: opens the sign-in page, enters a name, agrees, and returns the text of the last page.
const maxPages = 20;

export const signInAs = async (name, url) => {
  const cookies = new Map();
  let request = { url, init: {} };
  for (let page = 0; page < maxPages; page++) {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const headers = { ...request.init.headers, cookie };
    const response = await fetch(request.url, { ...request.init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) cookies.set(...line.split(";")[0].split(/=(.*)/s));
    const next = response.headers.get("location");
    const text = await response.text();
    const form = /<form[^>]*action="([^"]+)"[\s\S]*?<\/form>/.exec(text);
    if (next !== null) request = { url: new URL(next, request.url).href, init: {} };
    else if (form === null) return text.replaceAll(/<[^>]*>/g, " ").trim();
    else {
      const fields = [...form[0].matchAll(/<input[^>]*name="([^"]+)"(?:[^>]*value="([^"]*)")?/g)];
      const body = new URLSearchParams(fields.map(([, field, value]) => [field, value ?? name]));
      request = { url: new URL(form[1], request.url).href, init: { method: "POST", body } };
    }
  }
  throw new Error("The sign-in did not end");
};

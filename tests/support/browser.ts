// A person's browser in a sign-in: follows redirects, keeps cookies, and submits the forms of the test issuer.

export interface Browser {
  /** Opens a URL and follows every redirect. Resolves to the last page. */
  readonly open: (
    url: string,
    init?: RequestInit,
  ) => Promise<{ readonly url: string; readonly text: string }>;
  /** Opens a page and submits its form until there is none. */
  readonly submitForms: (url: string) => Promise<string>;
}

export interface BrowserOptions {
  /** Does not open a URL with this prefix, and returns it as the last page. */
  readonly stopsAt?: string | undefined;
}

const maxSteps = 20;

export const openBrowser = ({ stopsAt }: BrowserOptions = {}): Browser => {
  const cookies = new Map<string, string>();
  const open: Browser["open"] = async (url, init = {}) => {
    let next = url;
    let request = init;
    for (let step = 0; step < maxSteps; step++) {
      if (stopsAt !== undefined && next.startsWith(stopsAt)) return { url: next, text: "" };
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { ...(request.headers as Record<string, string> | undefined), cookie };
      const response = await fetch(next, { ...request, headers, redirect: "manual" });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        const at = pair.indexOf("=");
        if (pair.slice(at + 1) === "") cookies.delete(pair.slice(0, at));
        else cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
      const location = response.headers.get("location");
      if (location === null) return { url: next, text: await response.text() };
      await response.body?.cancel();
      next = new URL(location, next).href;
      request = {};
    }
    throw new Error(`more than ${maxSteps} redirects from ${url}`);
  };
  const submitForms: Browser["submitForms"] = async (url) => {
    let page = await open(url);
    for (let step = 0; step < maxSteps; step++) {
      const form = /<form[^>]*action="([^"]+)"[\s\S]*?<\/form>/.exec(page.text);
      if (form === null) return page.text;
      const inputs = [...form[0].matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
      const body = new URLSearchParams(
        inputs.map(([, name = "", value = ""]): [string, string] => [name, value]),
      );
      page = await open(new URL(form[1] ?? "", page.url).href, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      });
    }
    throw new Error(`more than ${maxSteps} forms at ${url}`);
  };
  return { open, submitForms };
};

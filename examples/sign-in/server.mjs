// An issue tracker that requires a sign-in: an MCP server over HTTP, and the issuer of its tokens. Prints its port.
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import Provider from "oidc-provider";
import * as z from "zod";

const issues = [
  { id: 1, title: "Typo on the first page", state: "open", owner: "ada" },
  { id: 2, title: "Crash without a network", state: "open", owner: "grace" },
  { id: 3, title: "Slow start", state: "closed", owner: "ada" },
];

const listen = async (server) => {
  await new Promise((resolve) => server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", resolve));
  delete process.env.PORT;
  return `http://127.0.0.1:${server.address().port}`;
};

const tracker = createServer();
const origin = await listen(tracker);
const login = createServer();
const issuer = await listen(login);
const resource = `${origin}/mcp`;

// The pages of this issuer accept any name and password.
const provider = new Provider(issuer, {
  scopes: ["openid", "offline_access", "issues:read"],
  pkce: { required: () => true },
  clientBasedCORS: () => false,
  findAccount: async (_context, name) => ({ accountId: name, claims: async () => ({ sub: name }) }),
  features: {
    registration: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async () => ({
        scope: "issues:read",
        accessTokenFormat: "opaque",
        audience: resource,
      }),
    },
  },
});
login.on("request", provider.callback());

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "issues", version: "1.0.0" });
  server.registerTool(
    "my_issues",
    {
      description: "Lists the issues of the person who signed in.",
      annotations: { readOnlyHint: true },
      inputSchema: z.object({ state: z.enum(["open", "closed"]) }),
      outputSchema: z.object({ issues: z.array(z.object({ id: z.number(), title: z.string() })) }),
    },
    async ({ state }, { http }) => {
      const own = issues.filter((issue) => issue.owner === http.authInfo.extra.name && issue.state === state);
      const structuredContent = { issues: own.map(({ id, title }) => ({ id, title })) };
      return { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
    },
  );
  return server;
});

const metadata = { resource, authorization_servers: [issuer], scopes_supported: ["issues:read"] };
const path = "/.well-known/oauth-protected-resource/mcp";
tracker.on("request", async (request, response) => {
  if (request.url === path)
    return response.setHeader("content-type", "application/json").end(JSON.stringify(metadata));
  const value = request.headers.authorization?.replace(/^Bearer /, "");
  const token = value === undefined ? undefined : await provider.AccessToken.find(value);
  // This answer tells a client that people have to sign in, and where.
  if (token?.aud !== resource)
    return response
      .writeHead(401, { "www-authenticate": `Bearer resource_metadata="${origin}${path}"` })
      .end();
  const body = await new Response(request).text();
  const { method, headers } = request;
  const asked = new Request(resource, { method, headers, body: body === "" ? undefined : body });
  const extra = { name: token.accountId };
  const authInfo = { token: token.jti, clientId: token.clientId, scopes: [...token.scopes], extra };
  const answer = await handler.fetch(asked, { authInfo });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const part of answer.body ?? []) response.write(part);
  response.end();
});
console.log(new URL(origin).port);

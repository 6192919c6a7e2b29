// The coordinator as the client of the suite's sign-in scenarios: it calls every tool, and signs in when a scenario asks for it. Argument: the URL of the server. Prints "called NAME" for each call that succeeded.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCoordinator } from "../../../dist/bundle/index.js";

const [url] = process.argv.slice(2);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const known = { clientId: context.client_id, clientSecret: context.client_secret };

/** What a person would write into the entry. Most scenarios need nothing. */
const auths = {
  "auth/pre-registration": known,
  "auth/client-credentials-basic": { ...known, type: "client-credentials" },
  "auth/client-credentials-jwt": {
    type: "private-key-jwt",
    clientId: context.client_id,
    privateKey: context.private_key_pem,
    algorithm: context.signing_algorithm,
  },
  "auth/enterprise-managed-authorization": {
    ...known,
    type: "exchange",
    subjectToken: context.idp_id_token,
    identityProvider: context.idp_token_endpoint,
    identityProviderClientId: context.idp_client_id,
  },
  "auth/wif-jwt-bearer": {
    type: "exchange",
    clientId: context.client_id,
    subjectToken: context.valid_jwt,
  },
};
const auth = auths[scenario];
const server = "subject";
const folder = mkdtempSync(join(tmpdir(), "coordinator-conformance-"));
const coordinator = await openCoordinator({
  config: { mcpServers: { [server]: auth === undefined ? { url } : { url, auth } } },
  settings: {
    cacheFolder: join(folder, "cache"),
    stateFolder: join(folder, "state"),
    vault: "file",
    // Issuers that take no documents get a registration.
    clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  },
});

/** The suite's issuer sends the browser back at once. */
const onAddress = async (address) => void (await fetch(address)).body?.cancel();
/** A person gives up after this. */
const maxSignIns = 3;
let signIns = 0;

const withSignIn = async (work) => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error.code !== "SIGN_IN_NEEDED" || signIns >= maxSignIns) throw error;
      signIns += 1;
      await coordinator.login({ server, onAddress, onChanged: () => true });
    }
  }
};

try {
  const tools = await withSignIn(() => coordinator.listTools({ server }));
  for (const { name } of tools) {
    await withSignIn(() => coordinator.callTool({ server, tool: name, arguments: {} }));
    console.log("called", name);
  }
} catch (error) {
  console.log("failed", error.code, error.message);
} finally {
  await coordinator.close();
  rmSync(folder, { recursive: true, force: true });
}

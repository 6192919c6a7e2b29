// Generates the operations of a large service: resources times actions, each about as long as tools of published servers.

const text = (description) => ({ type: "string", description });
const number = (description) => ({ type: "integer", description });
const flag = (description) => ({ type: "boolean", description });
const choice = (description, values) => ({ type: "string", description, enum: values });
const list = (description) => ({ type: "array", description, items: { type: "string" } });

const paging = {
  page: number("The page number of the results to fetch, starting at 1."),
  per_page: number("The number of results per page (at most 100)."),
};
const sorting = (noun) => ({
  sort: choice(`The property to sort the ${noun}s by.`, ["created", "updated", "name", "popularity"]),
  direction: choice("The direction of the sort.", ["asc", "desc"]),
});
const body = (noun) => ({
  name: text(`The name of the ${noun}, at most 255 characters.`),
  description: text(`A description of the ${noun} in Markdown. It is shown on the page of the ${noun}.`),
  labels: list(`Labels to put on the ${noun}. Labels that do not exist yet are created.`),
  visibility: choice(`Who can see the ${noun}.`, ["public", "internal", "private"]),
  owner_id: text(`The identifier of the user or team that owns the ${noun}.`),
  due_at: text("When it is due, as a timestamp in ISO 8601 format: YYYY-MM-DDTHH:MM:SSZ."),
  notify: flag("Whether everybody who watches it is notified of the change."),
});

/** Parameters and notes that most endpoints of such services have. */
const everywhere = (noun) => ({
  workspace_id: text(
    `The identifier of the workspace that the ${noun} belongs to. Without it the default workspace of the authenticated user is taken.`,
  ),
  expand: {
    type: "array",
    description: "Related objects that are returned in full instead of by their identifier.",
    items: { type: "string", enum: ["owner", "labels", "comments", "attachments", "history", "permissions"] },
  },
  idempotency_key: text(
    "A unique key of your choice. A request with a key that was used in the last 24 hours is not carried out again; the first answer is returned.",
  ),
});
const remarks = (noun) =>
  `Needs the permission ${noun.replaceAll(" ", "_")}s:access in the workspace. Answers with the ${noun} as it is afterwards, including its version and links; fails with 404 when it does not exist or is not visible to you, with 409 when it was changed meanwhile, and with 429 when the rate limit is exceeded.`;

/** Action → what it does, its parameters besides the identifier, and the required ones. */
const verbs = {
  list: (noun) => [
    `Lists the ${noun}s that the authenticated user can see, newest first. Archived ${noun}s are left out unless they are asked for.`,
    {
      ...paging,
      ...sorting(noun),
      since: text("Only those that changed after this time."),
      include_archived: flag("Also those that are archived."),
    },
    [],
  ],
  get: (noun) => [
    `Gets one ${noun} with all of its fields, the labels on it and the people who watch it.`,
    {
      fields: list("Only these fields."),
      version: number(`An earlier version of the ${noun}; without it the latest one.`),
    },
    ["id"],
  ],
  create: (noun) => [
    `Creates a ${noun}. The authenticated user must be allowed to write in the workspace. This triggers notifications; creating content too quickly may lead to secondary rate limiting.`,
    { workspace: text("The workspace to create it in."), ...body(noun) },
    ["workspace", "name"],
  ],
  update: (noun) => [
    `Changes the fields of a ${noun} that are given and leaves the others as they are.`,
    { ...body(noun), expected_version: number("Fails when the present version is another one.") },
    ["id"],
  ],
  delete: (noun) => [
    `Deletes a ${noun}. It can be restored for thirty days, then it is gone with everything in it.`,
    {
      reason: text("Why it is deleted, for the audit log."),
      permanently: flag("Do not keep it for restoring."),
    },
    ["id"],
  ],
  search: (noun) => [
    `Finds ${noun}s by words and qualifiers. Returns up to 100 results per page, with the score of each.`,
    {
      query: text("Words and qualifiers, like `label:urgent created:>2026-01-01`."),
      ...paging,
      ...sorting(noun),
    },
    ["query"],
  ],
  archive: (noun) => [
    `Archives a ${noun}: it can still be read, but no longer be changed.`,
    { notify: flag("Tell the watchers.") },
    ["id"],
  ],
  restore: (noun) => [
    `Restores a ${noun} that was archived or deleted.`,
    { version: number("The version to restore.") },
    ["id"],
  ],
  move: (noun) => [
    `Moves a ${noun} to another folder or workspace. Links to it keep working.`,
    { target: text("The folder or workspace."), position: number("Its place there, starting at 0.") },
    ["id", "target"],
  ],
  copy: (noun) => [
    `Copies a ${noun} with or without what is in it.`,
    {
      target: text("Where the copy goes."),
      name: text("The name of the copy."),
      deep: flag("Also what is in it."),
    },
    ["id", "target"],
  ],
  share: (noun) => [
    `Gives somebody access to a ${noun}.`,
    {
      user_id: text("The user or team."),
      role: choice("What they may do.", ["reader", "commenter", "editor", "owner"]),
      expires_at: text("When the access ends, in ISO 8601 format."),
      message: text("A message that is sent along."),
    },
    ["id", "user_id", "role"],
  ],
  export: (noun) => [
    `Exports a ${noun} as a file. Large exports are made in the background; the answer then holds the address to ask for it.`,
    {
      format: choice("The format of the file.", ["pdf", "csv", "json", "html", "markdown"]),
      time_zone: text("For the times in it."),
    },
    ["id", "format"],
  ],
  import: (noun) => [
    `Imports ${noun}s from a file that was uploaded before.`,
    {
      upload_id: text("The upload."),
      format: choice("The format of the file.", ["csv", "json"]),
      mapping: { type: "object", description: "Column → field.", additionalProperties: { type: "string" } },
      dry_run: flag("Only say what would be imported."),
    },
    ["upload_id", "format"],
  ],
  comment_on: (noun) => [
    `Adds a comment to a ${noun}.`,
    { body: text("The comment in Markdown."), reply_to: text("The comment that it answers.") },
    ["id", "body"],
  ],
  assign: (noun) => [
    `Assigns a ${noun} to people.`,
    { user_ids: list("The people."), replace: flag("Instead of those it is assigned to now.") },
    ["id", "user_ids"],
  ],
  tag: (noun) => [
    `Puts tags on a ${noun}.`,
    { tags: list("The tags."), replace: flag("Instead of those it has.") },
    ["id", "tags"],
  ],
  watch: (noun) => [
    `Subscribes to the changes of a ${noun}.`,
    { level: choice("To which.", ["all", "mentions", "none"]) },
    ["id"],
  ],
  merge: (noun) => [
    `Merges one ${noun} into another; what both have is taken from the target.`,
    { target_id: text("The one that stays."), keep: choice("Which texts are kept.", ["target", "both"]) },
    ["id", "target_id"],
  ],
  transfer: (noun) => [
    `Transfers a ${noun} to another owner, who has to accept it.`,
    { owner_id: text("The new owner."), message: text("A message.") },
    ["id", "owner_id"],
  ],
  audit: (noun) => [
    `Lists who did what with a ${noun}, the latest first. Needs the role of an administrator.`,
    {
      ...paging,
      actor: text("Only what this user did."),
      action: text("Only this action."),
      until: text("Only before this time."),
    },
    ["id"],
  ],
};

/** Operations of a service over its resources, of 300 tokens each. */
export const makeOperations = (resources, more = () => ({})) => {
  const operations = {};
  for (const noun of resources) {
    for (const [verb, describe] of Object.entries(verbs)) {
      const [description, properties, required] = describe(noun.replaceAll("_", " "));
      const isMany = ["list", "search", "import"].includes(verb);
      const id = required.includes("id")
        ? { id: text(`The identifier of the ${noun.replaceAll("_", " ")}.`) }
        : {};
      operations[`${verb}_${noun}${isMany ? "s" : ""}`] = {
        description: `${description} ${remarks(noun.replaceAll("_", " "))}`,
        inputSchema: {
          type: "object",
          properties: { ...id, ...properties, ...everywhere(noun.replaceAll("_", " ")), ...more(noun) },
          required,
        },
        run: (given) => ({ ok: true, operation: `${verb}_${noun}`, ...given }),
      };
    }
  }
  return operations;
};

const conditions = (noun) => ({
  conditions: {
    type: "object",
    description: `Carry it out only when all of these hold for the ${noun.replaceAll("_", " ")} at that moment.`,
    properties: {
      status: choice("Its status.", ["draft", "active", "on_hold", "closed"]),
      owner_id: text("Its owner."),
      changed_before: text("It was changed before this time, in ISO 8601 format."),
      has_label: text("It has this label."),
    },
  },
  callback: {
    type: "object",
    description: "Whom to tell when it is done; for operations that take longer.",
    properties: {
      url: text("An address that is called with the result."),
      secret_name: text("The name of the secret that the call is signed with."),
      retries: number("How often the call is tried again, at most 5."),
    },
  },
});

/** The same with the additions of the largest services: 500 tokens each, as in the reference documents. */
export const makeLongOperations = (resources) => makeOperations(resources, conditions);

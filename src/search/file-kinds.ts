// What a file's ending says in words: a task names "report.xlsx", the tool says "Excel".

const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    csv: "csv",
    doc: "word document",
    docx: "word document",
    gif: "image",
    htm: "html",
    html: "html",
    ipynb: "notebook",
    jpeg: "image",
    jpg: "image",
    js: "javascript",
    json: "json",
    md: "markdown",
    mov: "video",
    mp3: "audio",
    mp4: "video",
    pdf: "pdf",
    png: "image",
    ppt: "powerpoint presentation",
    pptx: "powerpoint presentation",
    py: "python",
    sql: "sql",
    svg: "image",
    ts: "typescript",
    txt: "text",
    wav: "audio",
    webp: "image",
    xls: "excel",
    xlsx: "excel",
    xml: "xml",
    yaml: "yaml",
    yml: "yaml",
    zip: "archive",
  }),
);

/** Words for a path's ending; empty when it has none that is known. */
export const fileKindOf = (path: string): string =>
  kinds.get(/\.([A-Za-z0-9]{2,5})$/.exec(path)?.[1]?.toLowerCase() ?? "") ?? "";

// An object with fields as a TypedDict.
import type { Field, ObjectNode } from "../type-tree/type-node.js";
import { isClassField } from "./python-names.js";
import { quoteText } from "./quote-text.js";
import { renderComment } from "./render-comment.js";

interface ClassOptions {
  readonly node: ObjectNode;
  readonly name: string;
  readonly toType: (field: Field) => string;
}

const longestFieldComment = 600;

/** In the body of a class these would mean the field of that name; generated types start with a capital or `_1`. */
const typeName = /^(?:str|int|float|bool|object|[A-Z].*|_\d.*)$/;

const renderField = (field: Field, toType: ClassOptions["toType"], indent: string) => ({
  name: field.name,
  type: field.isRequired ? toType(field) : `NotRequired[${toType(field)}]`,
  comment: renderComment({ documentation: field.documentation, indent, longest: longestFieldComment }),
});

/** The class's text. */
export const renderClass = ({ node, name, toType }: ClassOptions): string => {
  if (node.fields.every((field) => isClassField(field.name) && !typeName.test(field.name))) {
    const fields = node.fields.map((field) => renderField(field, toType, "    "));
    const lines = fields.map((field) => `${field.comment}    ${field.name}: ${field.type}\n`);
    return `class ${name}(TypedDict):\n${lines.join("")}`;
  }
  const fields = node.fields.map((field) => renderField(field, toType, "        "));
  const entries = fields.map(
    (field) => `${field.comment}        ${quoteText(field.name)}: ${quoteText(field.type)},\n`,
  );
  return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join("")}    },\n)\n`;
};

// The names that a pattern binds: `{ a, b: [c] }` binds `a` and `c`.
import type { BindingPattern } from "oxc-parser";

export const namesOf = (pattern: BindingPattern): readonly string[] => {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "AssignmentPattern":
      return namesOf(pattern.left);
    case "ArrayPattern":
      return pattern.elements.flatMap((element) =>
        element === null ? [] : namesOf(element.type === "RestElement" ? element.argument : element),
      );
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        namesOf(property.type === "RestElement" ? property.argument : property.value),
      );
  }
};

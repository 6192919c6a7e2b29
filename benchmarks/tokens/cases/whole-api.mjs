// A whole API as tools: 1,200 operations in front of the model for one call.

export const task = {
  name: "whole-api",
  title: "One call in an API of 1,200 operations",
  worlds: ["whole-api"],
  question: "Archive the feature flag ff-42 and tell the watchers.",
  *direct() {
    const [answer] = yield [["whole-api", "archive_feature_flag", { id: "ff-42", notify: true }]];
    return `Archived ${JSON.parse(answer).id}.`;
  },
  code: {
    needs: ["wholeApi.archiveFeatureFlag"],
    searches: [{ query: "archive a feature flag" }],
    programs: [
      `import { archiveFeatureFlag } from "servers/whole-api";
return (await archiveFeatureFlag({ id: "ff-42", notify: true })).id;`,
    ],
    toAnswer: (id) => `Archived ${id}.`,
  },
};

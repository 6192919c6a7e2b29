const { issues: mine } = await issues.my_issues({ state: "open" });
return mine.map(({ id, title }) => `#${id} ${title}`);

// Every verb that works with the host. The first call of one loads them all: the bundle holds them in one file.
export { exportAudit, listAudit, verifyAudit } from "./audit/list-audit.js";
export { addCaller, findCaller, listCallers, removeCaller, renewCaller } from "./callers/callers.js";
export { checkCode } from "./checks/check-code.js";
export { openDirect } from "./direct/open-direct.js";
export { completeName } from "./library/complete-name.js";
export { generateLibrary } from "./library/generate-library.js";
export { getPrompt, listPrompts } from "./library/list-prompts.js";
export { readOffered } from "./library/read-offered.js";
export { listResources, listResourceTemplates, readResource } from "./library/read-resource.js";
export { addTools } from "./plugins/open-plugins.js";
export { checkApprovals } from "./policies/check-policies.js";
export { checkPolicy, explainCall, testPolicy } from "./policies/explain-call.js";
export { showAnswer } from "./presenting/show-run.js";
export { readQuestion, readStateKey } from "./runs/answer-question.js";
export { commitPlan } from "./runs/commit-plan.js";
export { exportRun, replayRun } from "./runs/export-run.js";
export { listRuns, showRun } from "./runs/list-runs.js";
export { resumeRun, runAnswered as runCode } from "./runs/resume-run.js";
export { cancelRun, continueRuns, runStatus, startRun, waitForRun } from "./runs/start-run.js";
export { noteSearch, readMeter, readStatistics } from "./runs/token-statistics.js";
export { planUndo, undoRun } from "./runs/undo-run.js";
export { callTool } from "./servers/call-tool.js";
export { diagnose } from "./servers/diagnose.js";
export { fetchServers, repairServer } from "./servers/fetch-servers.js";
export { addServer, findServers } from "./servers/find-servers.js";
export { listServers, showServer } from "./servers/list-servers.js";
export { listTools, showTool } from "./servers/list-tools.js";
export { acceptPins, listPins, reviewPins } from "./servers/pinned-tools.js";
export { searchTools } from "./servers/search-tools.js";
export { exportShapes, importShapes } from "./servers/share-shapes.js";
export { listAccounts, login, logout } from "./servers/sign-in.js";
export {
  listSessionLogs,
  listSessions,
  removeSession,
  resetSession,
  resumeSession,
  saveCheckpoint,
  showSession,
} from "./sessions/sessions.js";
export { setUpSandbox } from "./setup/set-up-sandbox.js";
export { acceptSkill, reviewSkill } from "./skills/accept-skill.js";
export { deleteSkill, listSkills, readSkillFiles, searchSkills, showSkill } from "./skills/list-skills.js";
export { runSkill, saveSkill, testSkill, updateSkill } from "./skills/run-skill.js";
export {
  listStoredValues,
  listWorkspaceFiles,
  listWorkspaces,
  readStoredValue,
  readWorkspaceFile,
  removeInactiveWorkspaces,
  removeWorkspace,
} from "./workspaces/workspaces.js";

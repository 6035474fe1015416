// An extension of pi and oh-my-pi: before each tool call runs, it asks the program that drives the agent by RPC.
// The answer comes after that program has read the whole call, so a call that a rule forbids does not run.
const TITLE = "ttsr-ls: run this tool call?";

export default function (agent) {
	agent.on("tool_call", async (event, context) => {
		// Without RPC, as in oh-my-pi's subagents, nobody answers.
		if (!context.hasUI) return undefined;
		const runs = await context.ui.confirm(TITLE, event.toolCallId, { signal: context.signal });
		return runs ? undefined : { block: true, reason: "This call is not permitted." };
	});
}

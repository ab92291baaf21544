//! The page about the language that assistants read, and the prompt that leads from a text to a model.

use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, ListPromptsResult, ListResourcesResult, Prompt, PromptArgument,
    PromptMessage, ReadResourceResult, Resource, ResourceContents, Role,
};

/// The address of the page.
const PAGE_ADDRESS: &str = "essence://guide";
const PAGE: &str = include_str!("../../../docs/for-assistants.md");

const PROMPT: &str = "model_a_text";
/// The argument of the prompt.
const DESCRIPTION: &str = "text";

/// The steps from a text to a model that its author has confirmed.
const STEPS: &str = "\
Turn the text below into an Essence model that is right for every instance. Take these steps, with the tools of the \
server `conjure-like`:

1. Read the resource essence://guide, unless you know the page.
2. List the parameters, the decisions and the requirements of the text, each requirement in one sentence. Mark each \
sentence that can be read in two ways.
3. Write test cases before the model: for small instances that can be checked by hand, lines `$ accepts:` and \
`$ refuses:` with a solution or a part of one, `$ solutions:` or `$ optimum:`. Each requirement has a case that only \
it refuses.
4. Write the model, with the sentence of each requirement as a comment above its constraint. Call `fix`, then \
`check`, until there are no errors; then `test` with the cases. If a case fails, find out which of the two is wrong; \
call `why` for the reasons.
5. If a sentence can be read in two ways, write a model for each reading and call `ask` with all of them. Show the \
question to the author of the text word for word, with its instance and its picture, and wait for the answer. Do not \
answer for the author. Call `ask` again with all answers so far, until there is no question.
6. If there is one reading, call `ask` with `mutants`, and show the author a few of the questions.
7. Call `solve` with the data of the author. Hand over the model, the cases with the answers, and what `ask` says \
about how far the model was checked.

The text:

";

pub(super) fn listed_resources() -> ListResourcesResult {
    let page = Resource::new(PAGE_ADDRESS, "Essence on one page")
        .with_description("The language with fifteen examples, and the most common mistakes. Read it first.")
        .with_mime_type("text/markdown");
    ListResourcesResult::with_all_items(vec![page])
}

/// Returns the page, if this is its address.
pub(super) fn read_resource(address: &str) -> Option<ReadResourceResult> {
    let page = ResourceContents::text(PAGE, PAGE_ADDRESS).with_mime_type("text/markdown");
    (address == PAGE_ADDRESS).then(|| ReadResourceResult::new(vec![page]))
}

pub(super) fn listed_prompts() -> ListPromptsResult {
    let text =
        PromptArgument::new(DESCRIPTION).with_description("The problem in the words of its author").with_required(true);
    let says = "Leads from a text to test cases, to a model, and to questions that settle what the text leaves open";
    let prompt = Prompt::new(PROMPT, Some(says), Some(vec![text])).with_title("Model a text");
    ListPromptsResult::with_all_items(vec![prompt])
}

/// The prompt about a text, or the error in the request.
pub(super) fn prompt(asked: &GetPromptRequestParams) -> Result<GetPromptResult, String> {
    if asked.name != PROMPT {
        return Err(format!("there is no prompt `{}`", asked.name));
    }
    let text = asked.arguments.as_ref().and_then(|arguments| arguments.get(DESCRIPTION)?.as_str());
    let text = text.ok_or_else(|| format!("the prompt needs the argument `{DESCRIPTION}`"))?;
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, format!("{STEPS}{text}\n"))]))
}

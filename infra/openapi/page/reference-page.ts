import { type Html, html } from '#shared/pages/html';
import { referenceStyle } from '#shared/pages/reference-style';
import { methods, type OpenApiDocument, type Operation } from '../document.ts';
import { inline, richText } from './fields.ts';
import { messageArticle, operationArticle } from './operation-article.ts';

type Entry = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The reference as one page without script: all that the description tells. */
export function referencePage(document: OpenApiDocument): string {
  const { info, tags } = document;
  const entries = entriesOf(document);
  const sections = tags.map((tag) => ({
    ...tag,
    id: `section-${tag.name.toLowerCase().replaceAll(' ', '-')}`,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}: API reference</title>
<link rel="icon" href="data:,">
<style>${referenceStyle}</style>
</head>
<body>
<a class="skip" href="#reference">Skip to the reference</a>
<nav aria-label="Contents">
${sections.map(
  ({ name, entries: its }) => html`<details><summary>${name}</summary><ul>
${its.map(
  ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>
`,
)}</ul></details>
`,
)}
<ul><li><a href="#messages">Webhook messages</a></li><li><a href="#errors">Errors</a></li></ul>
</nav>
<main id="reference" tabindex="-1">
<h1>${info.title}</h1>
${richText(info.description)}
<p>The same as an OpenAPI 3.1 description: <a href="/openapi.json">openapi.json</a></p>
${sections.map(
  ({ name, id, description, entries: its }) => html`<section aria-labelledby="${id}">
<h2 id="${id}">${name}</h2>
<p>${inline(description)}</p>
${its.map(({ method, path, operation }) => operationArticle(method, path, operation))}
</section>
`,
)}
${messagesSection(document)}
${errorsSection(document)}
</main>
</body>
</html>
`.text;
}

/** `HEAD` answers what `GET` answers, without its body. It has no article of its own. */
const entriesOf = ({ paths }: OpenApiDocument): readonly Entry[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method !== 'head')
      .flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [{ method, path, operation }];
      }),
  );

function messagesSection({ webhooks }: OpenApiDocument): Html {
  const messages = Object.entries(webhooks).flatMap(([type, { post }]) =>
    post === undefined ? [] : [{ type, post }],
  );
  const [first] = messages;
  return html`<section aria-labelledby="messages">
<h2 id="messages">Webhook messages</h2>
${first && richText(first.post.description)}
<dl>${first?.post.parameters?.map(
    ({ name, description }) => html`<dt><code>${name}</code></dt><dd>${inline(description)}</dd>
`,
  )}</dl>
${messages.map(({ type, post }) => messageArticle(type, post))}
</section>
`;
}

const errorsSection = ({ components: { examples } }: OpenApiDocument): Html =>
  html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<dl>${Object.entries(examples).map(
    ([code, { summary }]) =>
      html`<dt id="error-${code}"><code>${code}</code></dt><dd>${inline(summary)}</dd>
`,
  )}</dl>
</section>
`;

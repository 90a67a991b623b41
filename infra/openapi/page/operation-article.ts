import { type Html, html } from '#shared/pages/html';
import type { MediaType, Operation, Response } from '../document.ts';
import { exampleRequest } from './example-request.ts';
import { fieldList, fieldsOf, inline, richText } from './fields.ts';

/** One endpoint: what it does, who may call it, what it takes and what it answers. */
export const operationArticle = (method: string, path: string, operation: Operation): Html =>
  html`<article aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}">${operation.summary}</h3>
<p class="line"><code><b>${method.toUpperCase()}</b> ${path}</code></p>
${richText(operation.description)}
<p>${accessOf(operation.security)}</p>
${parametersOf(operation)}
${bodyOf(operation)}
<h4>Example</h4>
<pre><code>${exampleRequest(method, path, operation)}</code></pre>
<h4>Answers</h4>
${Object.entries(operation.responses).filter(isSuccess).map(successOf)}
${errorsOf(operation)}
</article>
`;

/** A message that the service sends: what it tells, and its body. */
export const messageArticle = (type: string, operation: Operation): Html => {
  const content = operation.requestBody?.content['application/json'];
  return html`<article aria-labelledby="${operation.operationId}">
<h3 id="${operation.operationId}"><code>${type}</code></h3>
<p>${operation.summary}.</p>
${content && fieldList(fieldsOf(content.schema), 'answer')}
${content && exampleAnswer(content)}
</article>
`;
};

function accessOf(security: Operation['security']): Html {
  const [first] = security;
  if (first === undefined) return html`Anybody may call it.`;
  if ('cronSecret' in first) return html`Needs the header <code>X-Cron-Secret</code>.`;
  if ('session' in first) return html`Needs the cookie of a session.`;
  if ('operatorSecret' in first) return html`Needs the header <code>X-Operator-Secret</code>.`;
  const scopes = new Set(security.flatMap(({ apiKey = [] }) => apiKey));
  const key =
    scopes.size === 0
      ? html`an API key`
      : html`an API key with the scope ${inline([...scopes].map((one) => `\`${one}\``).join(' or '))}`;
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  return isOptional ? html`Takes ${key}, or none.` : html`Needs ${key}.`;
}

const placeNames = { path: 'In the path', query: 'In the query', header: 'Headers' } as const;

const parametersOf = ({ parameters = [] }: Operation): readonly Html[] =>
  (['path', 'query', 'header'] as const).flatMap((place) => {
    const its = parameters.filter((one) => one.in === place);
    if (its.length === 0) return [];
    const fields = its.map(({ required, ...one }) => ({ ...one, isRequired: required }));
    return [html`<h4>${placeNames[place]}</h4>${fieldList(fields, 'request')}`];
  });

function bodyOf({ requestBody }: Operation): Html | undefined {
  const [first] = Object.values(requestBody?.content ?? {});
  if (requestBody === undefined || first === undefined) return undefined;
  const mediaTypes = Object.keys(requestBody.content).map((one) => `\`${one}\``);
  const intro = `${mediaTypes.join(' or ')}${requestBody.required ? '' : '. It may be left out'}.`;
  return html`<h4>Body</h4><p>${inline(intro)}</p>${fieldList(fieldsOf(first.schema), 'request')}`;
}

const isSuccess = ([status]: readonly [string, Response]): boolean => Number(status) < 400;

function successOf([status, { description, headers = {}, content = {} }]: readonly [
  string,
  Response,
]): Html {
  const names = Object.keys(headers).filter((name) => name !== 'X-Request-Id');
  const json = content['application/json'];
  return html`<p><b>${status}</b> ${inline(description)}${
    names.length === 0 ? undefined : html` Headers: ${inline(listOf(names))}.`
  }</p>
${json && fieldList(fieldsOf(json.schema), 'answer')}
${json && exampleAnswer(json)}
`;
}

const exampleAnswer = ({ example }: MediaType): Html | undefined =>
  example === undefined
    ? undefined
    : html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>`;

const listOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** The codes of an endpoint, by status. What they mean stands once, at the end of the page. */
const errorsOf = ({ responses }: Operation): Html => {
  const errors = Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const codes = Object.keys(content['application/problem+json']?.examples ?? {});
    return codes.length === 0 ? [] : [html`<li><b>${status}</b> ${codes.map(errorLink)}</li>`];
  });
  return html`<h4>Errors</h4><ul class="errors">${errors}</ul>`;
};

const errorLink = (code: string): Html => html`<a href="#error-${code}"><code>${code}</code></a> `;

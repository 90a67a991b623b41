import { lexer, type MarkedToken, type Token } from 'marked';
import { type Html, html } from '#shared/pages/html';

type Heading = { readonly level: number; readonly text: string; readonly anchor: string };

export type Section = Heading & {
  /** Without code blocks; a line per paragraph, item or row. */
  readonly words: string;
  readonly summary: string;
};

export type Rendered = { readonly body: Html; readonly sections: readonly Section[] };

/**
 * Markup in the Markdown is shown as text.
 *
 * @param deepest headings below this level get no anchor and aren't listed.
 */
export function renderMarkdown(markdown: string, deepest = 3): Rendered {
  const tokens = known(lexer(markdown));
  const anchors = anchorsOf(tokens, deepest);
  const body = html`${groupExamples(tokens).map((block, index) =>
    Array.isArray(block) ? examples(block, `example-${index}`) : render(block, anchors),
  )}`;
  return { body, sections: sectionsOf(tokens, anchors) };
}

type Kind = MarkedToken['type'];
type CodeToken = Extract<MarkedToken, { type: 'code' }>;
type HeadingToken = Extract<MarkedToken, { type: 'heading' }>;
type TableToken = Extract<MarkedToken, { type: 'table' }>;
type Anchors = ReadonlyMap<HeadingToken, string>;

const kinds: ReadonlySet<string> = new Set<Kind>([
  ...(['code', 'codespan', 'escape', 'heading', 'html', 'link', 'list', 'paragraph'] as const),
  ...(['space', 'strong', 'em', 'table', 'text'] as const),
]);

const isKnown = (token: Token): token is MarkedToken => kinds.has(token.type);

/** @throws Error if a document uses Markdown that pages don't support yet. */
function known(tokens: readonly Token[] = []): readonly MarkedToken[] {
  return tokens.map((token) => {
    if (!isKnown(token)) throw new Error(`The documents have no Markdown such as: ${token.raw}`);
    return token;
  });
}

function anchorsOf(tokens: readonly MarkedToken[], deepest: number): Anchors {
  const anchors = new Map<HeadingToken, string>();
  const seen = new Map<string, number>();
  for (const token of tokens) {
    if (token.type !== 'heading' || token.depth > deepest) continue;
    const anchor = anchorOf(plainText(token.tokens));
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    anchors.set(token, times === 0 ? anchor : `${anchor}-${times}`);
  }
  return anchors;
}

/** Like GitHub's. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const languages: ReadonlyMap<string, string> = new Map([
  ['js', 'Node'],
  ['python', 'Python'],
  ['sh', 'curl'],
]);
const languageOf = ({ lang = '' }: CodeToken): string => lang.split(' ')[0] ?? '';

/** Consecutive code blocks in different languages are one example. */
function groupExamples(tokens: readonly MarkedToken[]): readonly (MarkedToken | CodeToken[])[] {
  const blocks: (MarkedToken | CodeToken[])[] = [];
  for (const token of tokens.filter(({ type }) => type !== 'space')) {
    const last = blocks.at(-1);
    const isExample = token.type === 'code' && languages.has(languageOf(token));
    if (!isExample) blocks.push(token);
    else if (Array.isArray(last) && !last.some((one) => languageOf(one) === languageOf(token))) {
      last.push(token);
    } else blocks.push([token]);
  }
  return blocks;
}

/** Tabs that work without scripts: radio buttons, and a style that shows the chosen language. */
function examples(blocks: readonly CodeToken[], group: string): Html {
  const codes = blocks.map(renderCode);
  if (blocks.length === 1) return html`${codes}`;
  const tabs = blocks.map((block, place) => {
    const language = languageOf(block);
    const id = `${group}-${language}`;
    const checked = place === 0 ? html` checked` : undefined;
    return html`<input type="radio" name="${group}" id="${id}" value="${language}"${checked}><label for="${id}">${languages.get(language)}</label>
`;
  });
  return html`<fieldset class="tabs">
<legend>Language</legend>
${tabs}${codes}</fieldset>
`;
}

const renderCode = ({ text }: Pick<CodeToken, 'text'>): Html =>
  html`<pre tabindex="0"><code>${text}</code></pre>
`;

function render(token: MarkedToken, anchors: Anchors = new Map()): Html {
  switch (token.type) {
    case 'heading': {
      const level = `h${Math.min(token.depth, 4)}`;
      const anchor = anchors.get(token);
      const id = anchor === undefined ? undefined : html` id="${anchor}"`;
      return html`<${level}${id}>${renderAll(token.tokens)}</${level}>
`;
    }
    case 'paragraph':
      return html`<p>${renderAll(token.tokens)}</p>
`;
    case 'list': {
      const list = token.ordered ? 'ol' : 'ul';
      return html`<${list}>${token.items.map(
        ({ tokens }) => html`<li>${renderAll(tokens)}</li>
`,
      )}</${list}>
`;
    }
    case 'table':
      return renderTable(token);
    case 'code':
      return renderCode(token);
    case 'codespan':
      return html`<code>${token.text}</code>`;
    case 'strong':
      return html`<b>${renderAll(token.tokens)}</b>`;
    case 'em':
      return html`<em>${renderAll(token.tokens)}</em>`;
    case 'link':
      return html`<a href="${token.href}">${renderAll(token.tokens)}</a>`;
    case 'text':
      return token.tokens ? renderAll(token.tokens) : html`${token.text}`;
    case 'escape':
      return html`${token.text}`;
    case 'space':
      return html``;
    case 'html':
      return token.block
        ? html`<p>${token.raw}</p>
`
        : html`${token.raw}`;
    default:
      return html`${token.raw}`;
  }
}

const renderAll = (tokens: readonly Token[] | undefined): Html =>
  html`${known(tokens).map((token) => render(token))}`;

const renderTable = ({
  header,
  rows,
}: TableToken): Html => html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table>
${
  header.some(({ text }) => text !== '')
    ? html`<thead><tr>${header.map(headerCell)}</tr></thead>
`
    : undefined
}<tbody>${rows.map(
  (cells) => html`<tr>${cells.map(({ tokens }) => html`<td>${renderAll(tokens)}</td>`)}</tr>
`,
)}</tbody></table></div>
`;

const headerCell = ({ text, tokens }: TableToken['header'][number]): Html =>
  text === '' ? html`<td></td>` : html`<th scope="col">${renderAll(tokens)}</th>`;

/** Without code blocks. */
function plainText(tokens: readonly Token[] | undefined): string {
  return known(tokens)
    .map((token): string => {
      switch (token.type) {
        case 'code':
        case 'space':
          return ' ';
        case 'list':
          return token.items.map((item) => `\n${plainText(item.tokens)}`).join('');
        case 'table':
          return [token.header, ...token.rows]
            .map((cells) =>
              cells
                .map((cell) => plainText(cell.tokens))
                .filter(Boolean)
                .join(' · '),
            )
            .join('\n');
        default:
          if ('tokens' in token && token.tokens) return plainText(token.tokens);
          // Joins wrapped lines.
          return ('text' in token ? token.text : token.raw).replaceAll('\n', ' ');
      }
    })
    .join('');
}

function sectionsOf(tokens: readonly MarkedToken[], anchors: Anchors): readonly Section[] {
  const headings = [...anchors];
  return headings.map(([heading, anchor], place) => {
    const [next] = headings[place + 1] ?? [];
    const below = tokens.slice(tokens.indexOf(heading) + 1, next && tokens.indexOf(next));
    const first = below.find(({ type }) => type === 'paragraph');
    return {
      level: heading.depth,
      text: plainText(heading.tokens),
      anchor,
      words: linesOf(below.map((one) => plainText([one]))),
      summary: firstSentence(first ? plainText([first]) : ''),
    };
  });
}

const linesOf = (blocks: readonly string[]): string =>
  blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');

const firstSentence = (text: string): string => {
  const [sentence = ''] = /^.*?[.:](?=\s|$)/s.exec(text) ?? [text];
  return sentence.replaceAll(/\s+/g, ' ').trim();
};

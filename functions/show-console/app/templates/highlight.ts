import { type Grammar, type TokenStream, tokenizeText } from 'prism-code-editor/prism';
import { tagsIn } from '#shared/templates/rendering/template-tags';

/** Text in one colour; `kind` is empty for plain text. */
export type Piece = { readonly kind: string; readonly text: string };

/** Longer texts would make typing slow, so they stay plain. */
const maxHighlighted = 100_000;

// Prism's own HTML grammar takes minutes for some texts of 10,000 characters. Here, no pattern looks past the next `<`
// or the next sign that could start a match.

const css: Grammar = {
  comment: /\/\*(?:(?!\/\*|\*\/)[\s\S])*\*\//g,
  'attr-value': /"[^"\n]{0,500}"|'[^'\n]{0,500}'/g,
  tag: /@[\w-]+/,
  'attr-name': /\b[\w-]{1,60}(?=\s{0,9}:)/,
  punctuation: /[{}();:,]/,
};

const grammar: Grammar = {
  comment: /<!--(?:(?!<!--|-->)[\s\S])*-->/g,
  style: { pattern: /(<style(?=[\s>])[^<>]*>)[^<]+(?=<\/style)/gi, lookbehind: true, inside: css },
  doctype: /<![^<>]*>/g,
  element: {
    pattern: /<\/?[a-z](?:"[^"<]*"|'[^'<]*'|[^"'<>])*>/gi,
    inside: {
      tag: { pattern: /^(<\/?)[^\s/>]+/, lookbehind: true },
      'attr-value': /"[^"]*"|'[^']*'/g,
      'attr-name': /[^\s=<>/"']+/,
      punctuation: /[<>/=]/,
    },
  },
};

/** By line, coloured as HTML, CSS and the template's tags. */
export function highlighted(html: string): readonly (readonly Piece[])[] {
  const pieces =
    html.length > maxHighlighted
      ? [{ kind: '', text: html }]
      : withTags(html, [...piecesOf(tokenizeText(html, grammar), '')]);
  return linesOf(pieces);
}

/** Tokens that only contain others. */
const holders = new Set(['element', 'style']);

function* piecesOf(tokens: TokenStream, around: string): Generator<Piece> {
  for (const token of tokens) {
    if (typeof token === 'string') {
      yield { kind: around, text: token };
      continue;
    }
    const { type, content } = token;
    const kind = holders.has(type) ? around : type;
    if (typeof content === 'string') yield { kind, text: content };
    else yield* piecesOf(content, kind);
  }
}

/** The template's own tags show everywhere, in attributes and styles too. */
function* withTags(html: string, pieces: readonly Piece[]): Generator<Piece> {
  const tags = [...tagsIn(html)]
    .filter(({ isClosed }) => isClosed)
    .map(({ start, length, symbol }) => ({
      start,
      end: start + '{{'.length + length + (symbol === '{' ? '}}}' : '}}').length,
    }));
  let offset = 0;
  let next = 0;
  for (const { kind, text } of pieces) {
    const end = offset + text.length;
    while (offset < end) {
      const tag = tags[next];
      if (tag === undefined || tag.start >= end) {
        yield { kind, text: html.slice(offset, end) };
        offset = end;
      } else if (offset < tag.start) {
        yield { kind, text: html.slice(offset, tag.start) };
        offset = tag.start;
      } else {
        const until = Math.min(tag.end, end);
        yield { kind: 'variable', text: html.slice(offset, until) };
        offset = until;
        if (until === tag.end) next += 1;
      }
    }
  }
}

function linesOf(pieces: Iterable<Piece>): Piece[][] {
  let line: Piece[] = [];
  const lines = [line];
  for (const { kind, text } of pieces) {
    for (const [at, part] of text.split('\n').entries()) {
      if (at > 0) {
        line = [];
        lines.push(line);
      }
      if (part !== '') line.push({ kind, text: part });
    }
  }
  return lines;
}

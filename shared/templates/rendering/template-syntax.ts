import { type Tag, tagsIn } from './template-tags.ts';

/** Both count from 1, columns in UTF-16 units as in editors. */
type SyntaxFault = {
  readonly message: string;
  readonly line: number;
  readonly column: number;
};

/** Each level adds a call to the stack when rendering. */
const maxNesting = 20;

/**
 * Mustache's time to parse a tag grows with the square of its length, and it looks a dotted path up name by name on
 * each rendering.
 */
const maxTagLength = 100;
const maxCommentLength = 1_000;

/**
 * Templates are checked when they are written, so a send never finds one broken. The language is Mustache without
 * partials and without delimiters other than `{{` and `}}`.
 *
 * @returns the first fault, if any.
 */
export function findSyntaxFault(template: string): SyntaxFault | undefined {
  const open: Tag[] = [];
  for (const tag of tagsIn(template)) {
    const message = faultIn(tag) ?? nestingFault(tag, open);
    if (message !== undefined) return { message, ...placeOf(template, tag.start) };
  }
  const unclosed = open.at(-1);
  return (
    unclosed && {
      message: `section "${unclosed.name}" is never closed`,
      ...placeOf(template, unclosed.start),
    }
  );
}

function faultIn({ symbol, name, length, isClosed }: Tag): string | undefined {
  if (!isClosed) return 'a tag is not closed';
  switch (symbol) {
    case '>':
      return 'partials {{> …}} are not supported';
    case '=':
      return 'changing the delimiters {{= … =}} is not supported';
    case '!':
      return length > maxCommentLength
        ? `a comment is longer than ${maxCommentLength} characters`
        : undefined;
    default:
      return nameFault(name, length) ?? otherLanguageFault(symbol, name);
  }
}

/** Freer than `variableNamePattern`. */
function nameFault(name: string, length: number): string | undefined {
  if (name === '') return 'a tag is empty';
  // The closing braces belong to a later tag.
  if (/[{}]/.test(name)) return 'a tag is not closed';
  return length > maxTagLength ? `a tag is longer than ${maxTagLength} characters` : undefined;
}

/** Handlebars' and Liquid's blocks, as Mustache writes them. A section may still be named `if`. */
const blocks: ReadonlyMap<string, string> = new Map([
  ['if', '{{#name}} … {{/name}}'],
  ['unless', '{{^name}} … {{/name}}'],
  ['each', '{{#name}} … {{.}} … {{/name}}'],
  ['with', '{{#name}} … {{/name}}'],
]);

export const postmarkPlaceholder =
  'Postmark’s {{{ pm:… }}} isn’t filled in here: remove it. Emails of a bulk policy get their unsubscribe link in a footer and in headers';

/** Mustache would take other languages' tags for odd names, find no such variables, and render nothing. */
function otherLanguageFault(symbol: string, name: string): string | undefined {
  if (name.startsWith('pm:')) return postmarkPlaceholder;
  const [first = '', ...others] = name.split(/\s+/);
  const block = symbol === '#' && others.length > 0 ? blocks.get(first) : undefined;
  if (block !== undefined) return `Mustache has no {{#${first} …}}: write ${block}`;
  if (symbol === '' && first === 'else') {
    return 'Mustache has no {{else}}: write {{#name}} … {{/name}}{{^name}} … {{/name}}';
  }
  if (name.includes('|')) {
    return 'Mustache has no filters: write a default as {{name}}{{^name}}default{{/name}}, and format values before you send them';
  }
  if (name.startsWith('@') || name.startsWith('../')) {
    return 'Mustache has no {{@…}} or {{../…}}: use the names of outer levels as they are';
  }
  return others.length === 0
    ? undefined
    : 'a tag holds one name, without spaces: Mustache has no helpers. Format values before you send them';
}

/** @param open the sections around the tag; a tag may change them. */
function nestingFault(tag: Tag, open: Tag[]): string | undefined {
  if (tag.symbol === '#' || tag.symbol === '^') {
    open.push(tag);
    return open.length > maxNesting ? `sections nest deeper than ${maxNesting} levels` : undefined;
  }
  if (tag.symbol !== '/') return undefined;
  const section = open.pop();
  if (section === undefined) return `section "${tag.name}" is closed but was never opened`;
  return section.name === tag.name
    ? undefined
    : `section "${tag.name}" is closed while "${section.name}" is still open`;
}

function placeOf(template: string, position: number) {
  const before = template.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: position - lineStart + 1 };
}

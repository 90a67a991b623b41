import Mustache from 'mustache';

/** Where a template is at fault; both count from 1. */
export type SyntaxFault = {
  readonly message: string;
  readonly line: number;
  readonly column: number;
};

/** Sections inside sections inside …: each level is a call deeper when it is rendered. */
const maxNesting = 20;

/** A dotted path is looked up step by step, each time it is rendered. */
const maxNameLength = 200;

const partialTag = '>';
const delimiterTag = '=';

type Token = ReturnType<typeof Mustache.parse>[number];

/**
 * Checks a template when it is written, so that sending never finds it broken. Mustache without partials
 * (there is nothing to include) and without other delimiters than `{{` and `}}`.
 *
 * @returns the first fault, or nothing.
 */
export function findSyntaxFault(template: string): SyntaxFault | undefined {
  try {
    return faultIn(Mustache.parse(template), template, 1);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'malformed template';
    const [, text = message, position = '0'] = /^(.*?) at (\d+)$/s.exec(message) ?? [];
    return { message: text.toLowerCase(), ...placeOf(template, Number(position)) };
  }
}

function faultIn(
  tokens: readonly Token[],
  template: string,
  depth: number,
): SyntaxFault | undefined {
  for (const token of tokens) {
    const [type, name, start] = token;
    const fault = faultOf(type, name, depth);
    if (fault !== undefined) return { message: fault, ...placeOf(template, start) };
    const nested = Array.isArray(token[4]) ? faultIn(token[4], template, depth + 1) : undefined;
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function faultOf(type: string, name: string, depth: number): string | undefined {
  if (type === partialTag) return 'partials {{> …}} are not supported';
  if (type === delimiterTag) return 'changing the delimiters {{= … =}} is not supported';
  if (type !== 'text' && name.length > maxNameLength) {
    return `a tag is longer than ${maxNameLength} characters`;
  }
  return depth > maxNesting ? `sections nest deeper than ${maxNesting} levels` : undefined;
}

function placeOf(template: string, position: number) {
  const before = template.slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: position - lineStart + 1 };
}

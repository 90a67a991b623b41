import type { Answer, Input } from '../../../api.ts';

export type Template = Answer<'GET /api/v1/templates/{id}'>;

/** The parts to write, in the order of the form. */
export const templateParts = ['name', 'alias', 'subject', 'htmlContent', 'content'] as const;
export type TemplatePart = (typeof templateParts)[number];

export const partWords: Readonly<Record<TemplatePart, string>> = {
  name: 'Name',
  alias: 'Alias',
  subject: 'Subject',
  htmlContent: 'HTML body',
  content: 'Text body',
};

/** What the form holds. A missing body or alias is empty. */
export type TemplateDraft = Readonly<Record<TemplatePart, string>>;

/** Whether sends take an earlier version, or none. */
export const isDraft = ({ version, publishedVersion }: Template): boolean =>
  version !== publishedVersion;

/** A template as the form holds it: text areas only know one kind of line break. */
export const draftOf = (template: Partial<Template> | undefined): TemplateDraft => ({
  name: template?.name ?? '',
  alias: template?.alias ?? '',
  subject: template?.subject ?? '',
  htmlContent: withPlainBreaks(template?.htmlContent),
  content: withPlainBreaks(template?.content),
});

const withPlainBreaks = (text = ''): string => text.replace(/\r\n?/g, '\n');

/** The parts in which a draft differs from the stored template. */
export function changedParts(
  template: Template | undefined,
  draft: TemplateDraft,
): readonly TemplatePart[] {
  const stored = draftOf(template);
  return templateParts.filter((part) => stored[part] !== draft[part]);
}

/**
 * Moves a draft onto a newer version: untouched parts are taken from there.
 *
 * @param seen the version that was edited.
 */
export function draftUpon(
  newer: Template,
  seen: Template | undefined,
  draft: TemplateDraft,
): TemplateDraft {
  const typed = changedParts(seen, draft);
  return { ...draftOf(newer), ...Object.fromEntries(typed.map((part) => [part, draft[part]])) };
}

/** The changes from the stored template to the draft. Untouched parts stay as they are, to the byte. */
export function changesOf(
  template: Template,
  draft: TemplateDraft,
): Input<'PUT /api/v1/templates/{id}'>['body'] {
  const changed = changedParts(template, draft);
  return {
    ...(changed.includes('name') && { name: draft.name }),
    ...(changed.includes('alias') && { alias: draft.alias || null }),
    ...(changed.includes('subject') && { subject: draft.subject }),
    ...(changed.includes('htmlContent') && { htmlContent: draft.htmlContent || null }),
    ...(changed.includes('content') && { content: draft.content || null }),
  };
}

export const newTemplateOf = ({
  name,
  alias,
  subject,
  htmlContent,
  content,
}: TemplateDraft): Input<'POST /api/v1/templates'>['body'] => ({
  name,
  subject,
  ...(alias && { alias }),
  ...(htmlContent && { htmlContent }),
  ...(content && { content }),
});

/**
 * Where in a text a mistake is that the service reports as “line 2, column 5: …”; both count from 1.
 *
 * @returns the offset; `undefined` if the message has no position.
 */
export function placeOf(text: string, message: string): number | undefined {
  const [, line, column] = /^line (\d+), column (\d+):/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const before = text.split('\n').slice(0, Number(line) - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
}

/** The lines in which two texts differ, from the first to the last. */
type LineDifference = {
  /** The first of them, from 1. */
  readonly line: number;
  readonly one: string;
  readonly other: string;
};

/** Leaves out the lines that both have at the start and at the end. */
export function differenceOf(one: string, other: string): LineDifference {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  const shorter = Math.min(lines.length, others.length);
  let start = 0;
  while (start < shorter && lines[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && lines.at(-1 - end) === others.at(-1 - end)) end += 1;
  const between = (all: readonly string[]) => all.slice(start, all.length - end).join('\n');
  return { line: start + 1, one: between(lines), other: between(others) };
}

import type { Api } from '../api-types.ts';

export type Template = Api['GET /api/v1/templates/{id}']['answer'];

/** The parts that a person writes, in the order of the form. */
export const templateParts = ['name', 'subject', 'htmlContent', 'content'] as const;
export type TemplatePart = (typeof templateParts)[number];

export const partWords: Readonly<Record<TemplatePart, string>> = {
  name: 'Name',
  subject: 'Subject',
  htmlContent: 'HTML body',
  content: 'Text body',
};

/** What stands in the form. A body that is not there is empty. */
export type TemplateDraft = Readonly<Record<TemplatePart, string>>;

/** A template as a form holds it: a text area knows line breaks of one kind only. */
export const draftOf = (template: Partial<Template> | undefined): TemplateDraft => ({
  name: template?.name ?? '',
  subject: template?.subject ?? '',
  htmlContent: inOneKindOfLines(template?.htmlContent),
  content: inOneKindOfLines(template?.content),
});

const inOneKindOfLines = (text = ''): string => text.replace(/\r\n?/g, '\n');

/** The parts in which a draft differs from what is stored. */
export function changedParts(
  template: Template | undefined,
  draft: TemplateDraft,
): readonly TemplatePart[] {
  const stored = draftOf(template);
  return templateParts.filter((part) => stored[part] !== draft[part]);
}

/**
 * What was typed, upon a newer version: the parts that nobody touched here are those of the newer one.
 *
 * @param seen the version that was typed over.
 */
export function draftUpon(
  newer: Template,
  seen: Template | undefined,
  draft: TemplateDraft,
): TemplateDraft {
  const typed = changedParts(seen, draft);
  return { ...draftOf(newer), ...Object.fromEntries(typed.map((part) => [part, draft[part]])) };
}

/** What makes the stored template what was typed. A part that nobody touched stays to the byte. */
export function changesOf(
  template: Template,
  draft: TemplateDraft,
): Api['PUT /api/v1/templates/{id}']['input']['body'] {
  const changed = changedParts(template, draft);
  return {
    ...(changed.includes('name') && { name: draft.name }),
    ...(changed.includes('subject') && { subject: draft.subject }),
    ...(changed.includes('htmlContent') && { htmlContent: draft.htmlContent || null }),
    ...(changed.includes('content') && { content: draft.content || null }),
  };
}

export const newTemplateOf = ({
  name,
  subject,
  htmlContent,
  content,
}: TemplateDraft): Api['POST /api/v1/templates']['input']['body'] => ({
  name,
  subject,
  ...(htmlContent && { htmlContent }),
  ...(content && { content }),
});

/**
 * Where in a text a fault is, of which the service says “line 2, column 5: …”; both count from 1.
 *
 * @returns the offset; `undefined` if the message names no place.
 */
export function placeOf(text: string, message: string): number | undefined {
  const [, line, column] = /^line (\d+), column (\d+):/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const before = text.split('\n').slice(0, Number(line) - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
}

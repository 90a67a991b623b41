import { invalidField } from '#shared/errors/service-error';
import type { Template } from './template.ts';

/** The fields to change. `null` removes a body, as in a JSON merge patch (RFC 7396). */
export type TemplateChanges = Partial<Pick<Template, 'name' | 'subject'>> & {
  readonly htmlContent?: string | null;
  readonly content?: string | null;
};

/**
 * Leaves the template's version and times alone.
 *
 * @throws ServiceError `validation_failed` if no body would be left.
 */
export function mergeTemplate(before: Template, changes: TemplateChanges): Template {
  const { htmlContent: htmlBefore, content: textBefore, ...rest } = before;
  const { htmlContent = htmlBefore, content = textBefore, ...others } = changes;
  const html = htmlContent ?? undefined;
  const text = content ?? undefined;
  if (html === undefined && text === undefined) {
    const path = changes.content === null ? 'content' : 'htmlContent';
    throw invalidField(path, 'must stay, as the template has no other body');
  }
  return {
    ...rest,
    ...others,
    ...(html !== undefined && { htmlContent: html }),
    ...(text !== undefined && { content: text }),
  };
}

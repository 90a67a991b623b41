import type * as z from 'zod/mini';
import {
  type RenderedTemplate,
  renderOrRefuse,
} from '#shared/templates/rendering/render-or-refuse';
import type { endpoint } from './endpoint.ts';

type TemplateDraft = z.output<typeof endpoint.body>;

/** Renders a template that isn't stored as a send would render it once it is. */
export const showPreview = ({
  subject = '',
  variables = {},
  ...bodies
}: TemplateDraft): Promise<RenderedTemplate> => renderOrRefuse({ subject, ...bodies }, variables);

/**
 * The fields that somebody filled in. A browser writes line breaks as CRLF, whatever was typed (HTML standard,
 * "multipart/form-data encoding algorithm"), and that must not push a long template over its limit.
 */
export function typedFields(fields: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value !== '') typed.append(name, value.replaceAll('\r\n', '\n'));
  }
  return typed;
}

import type * as z from 'zod/mini';
import type { Caller } from '#shared/access/admit-caller';
import { invalidField } from '#shared/errors/service-error';
import {
  type RenderedTemplate,
  renderOrRefuse,
} from '#shared/templates/rendering/render-or-refuse';
import { type Edition, publishedOf } from '#shared/templates/template';
import { wordsIn } from '#shared/templates/template-locale';
import type { TemplateStore } from '#shared/templates/template-store';
import { type OrganizationId, ownId, type TemplateId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

type TemplateDraft = z.output<typeof endpoint.body>;
type LayoutReading = Pick<TemplateStore, 'get'>;

export async function showPreview(
  { subject = '', variables = {}, declaredVariables, layout, locale, ...bodies }: TemplateDraft,
  { organizationId }: Pick<Caller, 'organizationId'>,
  templates: LayoutReading,
): Promise<RenderedTemplate> {
  const around = layout && (await publishedLayout(layout, organizationId, templates));
  const parts = {
    ...{ subject, ...bodies },
    variables: declaredVariables,
    ...(around && { layoutParts: wordsIn(around, locale) }),
  };
  return renderOrRefuse(parts, variables);
}

async function publishedLayout(
  id: TemplateId,
  organizationId: OrganizationId,
  templates: LayoutReading,
): Promise<Edition> {
  const ownLayout = ownId(id, organizationId);
  const template = ownLayout && (await templates.get(ownLayout));
  const edition = template?.kind === 'layout' ? publishedOf(template) : undefined;
  if (edition === undefined) {
    throw invalidField('layout', 'the organization has no such layout, or hasn’t published it yet');
  }
  return edition;
}

/** Both bodies as long as they may be and URL-encoded, which can triple them, and half a megabyte of variables. */
export const mostDraftBytes = 2 * 1024 * 1024;

/**
 * Only fields that were filled in. Browsers send line breaks as CRLF, whatever was typed (HTML standard,
 * "multipart/form-data encoding algorithm"), which mustn't push a long template over its limit.
 */
export function typedFields(fields: URLSearchParams): URLSearchParams {
  const typed = new URLSearchParams();
  for (const [name, value] of fields) {
    if (value !== '') typed.append(name, value.replaceAll('\r\n', '\n'));
  }
  return typed;
}

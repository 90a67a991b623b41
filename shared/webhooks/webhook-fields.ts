import * as z from 'zod/mini';
import type { Caller } from '#shared/access/admit-caller';
import { requireScope } from '#shared/access/scopes';
import { boundedList, cut } from '#shared/errors/bounded';
import { nothingElse } from '#shared/errors/nothing-else';
import { invalidField } from '#shared/errors/service-error';
import { tagFilterText } from '#shared/organizations/tag-text';
import {
  isResendEvent,
  webhookEventTypes,
  webhookFormats,
} from '#shared/organizations/webhook-subscriptions';
import { checkUrlField } from '#shared/outbound/public-url';
import {
  type OrganizationId,
  organizationIdOf,
  type TemplateId,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import { healthViewSchema, toHealthView } from './health-view.ts';
import { mostAttempts, mostOwnAttempts } from './retry-delay.ts';
import { type Webhook, webhookSchema } from './webhook.ts';

const maxUrlLength = 2_048;
const maxDescriptionLength = 500;
/** Every send reads the filters with its organization. */
export const maxFilterValues = 10;
export const maxTagCharacters = 1_000;

export const webhookFields = {
  url: z.string().check(
    z.maxLength(maxUrlLength, { abort: true }),
    z.regex(/^[^\s\p{Cc}]+$/u, {
      error: 'must be a URL without spaces or control characters',
      abort: true,
    }),
    z.superRefine(checkUrlField),
  ),
  /** Empty: all types but those that are only for endpoints that name them. */
  eventTypes: z.pipe(
    boundedList(z.enum(webhookEventTypes), 100),
    z.transform((types) => [...new Set(types)]),
  ),
  tags: z.pipe(
    cut(
      maxFilterValues,
      z.array(tagFilterText).check(
        z.maxLength(maxFilterValues),
        z.refine((tags) => tags.join('').length <= maxTagCharacters, {
          error: `must have at most ${maxTagCharacters} characters together`,
        }),
      ),
    ),
    z.transform((tags) => [...new Set(tags)]),
  ),
  templates: z.pipe(
    boundedList(templateIdSchema, maxFilterValues),
    z.transform((templates) => [...new Set(templates)]),
  ),
  description: z.string().check(z.maxLength(maxDescriptionLength)),
  format: z.enum(webhookFormats),
  maxAttempts: z.int().check(z.gte(1), z.lte(mostOwnAttempts)),
} as const;

/** An endpoint in Resend's form can't get events that Resend has no name for. */
export function requireFormatFits({ format, eventTypes }: Pick<Webhook, 'format' | 'eventTypes'>) {
  const place = format === 'resend' ? eventTypes.findIndex((type) => !isResendEvent(type)) : -1;
  if (place < 0) return;
  throw invalidField(`eventTypes.${place}`, 'has no counterpart in messages of format "resend"');
}

/** Who may not read the audit must not have it sent to a URL of theirs. */
export function requireMayReadAudit(
  { apiKey }: Pick<Caller, 'apiKey'>,
  { eventTypes }: Pick<Webhook, 'eventTypes'>,
): void {
  if (eventTypes.includes('audit.recorded')) requireScope(apiKey, 'manage_organization');
}

/** A template's id names its owner. The id of a deleted template matches no send. */
export function requireOwnTemplates(
  templates: readonly TemplateId[],
  organizationId: OrganizationId,
): void {
  const place = templates.findIndex((id) => organizationIdOf(id) !== organizationId);
  if (place >= 0) throw invalidField(`templates.${place}`, 'no such template');
}

const shown = {
  id: true,
  url: true,
  eventTypes: true,
  tags: true,
  templates: true,
  description: true,
  format: true,
  disabled: true,
  pausedAt: true,
  slowUntil: true,
  createdAt: true,
  updatedAt: true,
} as const;

/** Hidden, or shown in another form. */
const hidden = {
  secret: true,
  previousSecrets: true,
  health: true,
  failingSince: true,
  maxAttempts: true,
} as const;
nothingElse(z.omit(z.omit(webhookSchema, shown), hidden).shape);

export const webhookViewSchema = z.object({
  ...z.pick(webhookSchema, shown).shape,
  enabled: z.boolean(),
  paused: z.boolean(),
  /** In force: its own, or the default. */
  maxAttempts: z.int(),
  health: healthViewSchema,
  previousSecretsExpireAt: z.optional(z.int()),
});

export const webhookWithSecretSchema = z.extend(webhookViewSchema, { secret: z.string() });

/**
 * Leaves the secrets in: the answer's schema drops them.
 *
 * @param maxAttempts the deployment's.
 */
export function toWebhookView(webhook: Webhook, maxAttempts: number, now: number) {
  const ends = webhook.previousSecrets.map(({ expiresAt }) => expiresAt);
  return {
    ...webhook,
    enabled: webhook.disabled === undefined,
    paused: webhook.pausedAt !== undefined,
    maxAttempts: mostAttempts(webhook, maxAttempts),
    health: toHealthView(webhook, now),
    ...(ends.length > 0 && { previousSecretsExpireAt: Math.max(...ends) }),
  };
}

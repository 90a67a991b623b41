import * as z from 'zod/mini';
import { domainField, fromEmailField, mailFromLabelField } from '#shared/domains/domain-field';
import { organizationIdSchema } from '#shared/tokens/resource-id';

const namedSchema = { OrganizationId: organizationIdSchema, Domain: domainField };

export const namedDomainSchema = z.object(namedSchema);

/** CloudFormation makes strings of all values. */
export const domainSchema = z.object({
  ...namedSchema,
  FromEmail: z.exactOptional(fromEmailField),
  MailFromLabel: mailFromLabelField,
  Adopts: z.stringbool(),
});

/** Less than the function may run, so that it answers. */
const mostMinutes = 14;

export const verificationSchema = z.object({
  ...namedSchema,
  WaitMinutes: z.coerce.number().check(z.gte(0), z.lte(mostMinutes)),
});

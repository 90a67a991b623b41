import * as z from 'zod/mini';
import { outboxEnvironment } from './environment.ts';
import { sesSuppressionChoices } from './ses-suppression.ts';

/** Environment of the functions that look after the From identities of organizations. */
export const identityEnvironment = z.extend(outboxEnvironment, {
  AWS_REGION: z.string().check(z.minLength(1)),
  CONFIGURATION_SET_NAME: z.string().check(z.minLength(1)),
  /** The ARN of an identity of the account, up to the slash before its name: to tag one, SES asks for it. */
  SES_IDENTITIES_ARN: z.string().check(z.startsWith('arn:')),
  /** How long an answer of SES about an identity is shown before SES is asked again. */
  SES_ANSWER_SECONDS: z._default(z.coerce.number().check(z.int(), z.gte(0)), 30),
  /** `address:port` of the DNS server to ask; the machine's own without it. */
  DNS_SERVER: z.optional(z.string().check(z.minLength(1))),
  /** Whether each organization is a tenant of SES. */
  SES_TENANTS: z._default(z.stringbool(), false),
  /** What puts an address on SES's own list. */
  SES_SUPPRESSES: z._default(z.enum(sesSuppressionChoices), 'nobody'),
});

/** Environment of a function that only asks what SES lets the account do. */
export const accountEnvironment = z.pick(identityEnvironment, {
  TABLE_NAME: true,
  AWS_REGION: true,
});

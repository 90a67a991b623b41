import * as z from 'zod/mini';
import { attachmentEnvironment } from './attachment-environment.ts';
import { longestCallMs } from './attempt-time.ts';
import { outboxEnvironment, tokenEnvironment } from './environment.ts';
import { limitsEnvironment } from './limits-environment.ts';

/** Environment of whatever hands emails to SES. */
export const mailingEnvironment = z.extend(tokenEnvironment, {
  ...outboxEnvironment.shape,
  /** Where people and mail clients reach the service; kept as a browser would write it. */
  PUBLIC_BASE_URL: z.pipe(
    z.url(),
    z.transform((url) => new URL(url).href.replace(/\/+$/, '')),
  ),
  CONFIGURATION_SET_NAME: z.string().check(z.minLength(1)),
  /** Whether each organization is a tenant of SES. */
  SES_TENANTS: z._default(z.stringbool(), false),
  /**
   * The doubt window. So long a send whose outcome is unknown waits for SES's own Send event. Then the email
   * counts as never accepted, and a retry may send it. Until then a retry gets 409. It must exceed what an
   * attempt and its call to SES may take: see `shared/sending/send-email.ts`.
   */
  DOUBT_WINDOW_SECONDS: z._default(z.coerce.number().check(z.positive()), 300),
  /** See `longestCallMs`. */
  PROVIDER_CALL_TIMEOUT_MS: z._default(
    z.coerce.number().check(z.int(), z.positive()),
    longestCallMs,
  ),
  /**
   * While SES throttles or cannot be reached, new attempts start only within this time from the first. It
   * is short: every send that waits holds a sandbox, and its caller can wait as well.
   */
  PROVIDER_RETRY_BUDGET_MS: z._default(z.coerce.number().check(z.int(), z.positive()), 2_000),
});

/** Environment of the functions that send callers' emails, which may have attachments. */
export const sendingEnvironment = z.extend(mailingEnvironment, {
  ...attachmentEnvironment.shape,
  ...limitsEnvironment.shape,
});

/** Environment of the function that writes to organizations. */
export const noticeEnvironment = z.extend(mailingEnvironment, {
  /** An address of a domain that the AWS account itself has verified in SES. */
  NOTICE_FROM_EMAIL: z.optional(z.email()),
});

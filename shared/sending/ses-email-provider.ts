import { SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { OutgoingAttachment } from '#shared/attachments/attachment';
import { fallbackContentType } from '#shared/attachments/content-type';
import { makeLean } from '#shared/aws/lean-client';
import { feedbackIdTag } from '#shared/events/feedback-id-tag';
import { backOff, backoffCeiling } from '#shared/timing/backoff';
import type { EmailProvider, OutgoingEmail, ProviderOutcome } from './email-provider.ts';

export type SesSettings = {
  readonly configurationSetName: string;
  /** A call is abandoned, its outcome unknown, after this long. */
  readonly callTimeoutMs: number;
  /** While SES throttles, new attempts begin only within this time from the first. */
  readonly retryBudgetMs: number;
};

const throttlingErrors = new Set([
  'TooManyRequestsException',
  'LimitExceededException',
  'ThrottlingException',
  'Throttling',
]);

/** A sandbox that slept may hold a connection that SES has closed meanwhile. */
const idleConnectionMs = 5_000;

/**
 * Opens the SES client for sends. One attempt a call: the SDK would retry a timeout, and an email
 * whose answer was lost would go out twice. For the same reason no connection is used again that was
 * idle for long: a write to one that is dead ends the call with its outcome unknown.
 *
 * @param idleMs how long a connection may be idle, milliseconds.
 */
export function openSesClient(idleMs = idleConnectionMs): SESv2Client {
  const agent = { timeout: idleMs };
  return makeLean(
    new SESv2Client({
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler({
        connectionTimeout: 2_000,
        httpAgent: agent,
        httpsAgent: agent,
      }),
    }),
  );
}

/** SES v2 as the email provider. Throttling is a definite no, so it alone is retried. */
export function createSesEmailProvider(client: SESv2Client, settings: SesSettings): EmailProvider {
  return async (email, notAfter) => {
    const lastStart = Math.min(notAfter, Date.now() + settings.retryBudgetMs);
    for (let attempt = 1; Date.now() < lastStart; attempt += 1) {
      const timeoutMs = Math.min(settings.callTimeoutMs, notAfter - Date.now());
      const outcome = await callSes(client, settings, email, timeoutMs);
      if (outcome.kind !== 'throttled') return outcome;
      // A wait that may outlast the budget would be for nothing.
      const mayOutlast = Date.now() + backoffCeiling(attempt, 100, 2_000) >= lastStart;
      if (mayOutlast) break;
      await backOff(attempt, 100, 2_000);
    }
    return { kind: 'throttled' };
  };
}

async function callSes(
  client: SESv2Client,
  settings: SesSettings,
  email: OutgoingEmail,
  timeoutMs: number,
): Promise<ProviderOutcome> {
  try {
    const { MessageId } = await client.send(
      new SendEmailCommand(toSendEmailInput(email, settings.configurationSetName)),
      { abortSignal: AbortSignal.timeout(Math.max(0, timeoutMs)) },
    );
    return MessageId === undefined
      ? { kind: 'unknown', cause: new Error('SES answered without a MessageId') }
      : { kind: 'accepted', providerMessageId: MessageId };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Only a 4xx says for sure that SES did not take the email. */
function outcomeOf(error: unknown): ProviderOutcome {
  if (!(error instanceof SESv2ServiceException)) return { kind: 'unknown', cause: error };
  const status = error.$metadata.httpStatusCode ?? 0;
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  if (!isRefusal) return { kind: 'unknown', cause: error };
  const isThrottling = status === 429 || throttlingErrors.has(error.name);
  return isThrottling ? { kind: 'throttled' } : { kind: 'rejected', reason: error.name };
}

/**
 * Simple content: SES builds the MIME itself, so no header can be smuggled in and bcc never shows.
 * The two `ses:feedback-id` tags put the feedback id into the `Feedback-ID` header on the wire.
 */
function toSendEmailInput(email: OutgoingEmail, configurationSetName: string) {
  const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });
  const addresses = (list: OutgoingEmail['cc']) => list.map(({ address }) => address);
  return {
    FromEmailAddress: email.fromEmail,
    Destination: {
      ToAddresses: [email.to.address],
      CcAddresses: addresses(email.cc),
      BccAddresses: addresses(email.bcc),
    },
    Content: {
      Simple: {
        Subject: utf8(email.subject),
        Body: {
          Text: utf8(email.text),
          ...(email.html !== undefined && { Html: utf8(email.html) }),
        },
        Headers: email.headers.map(({ name, value }) => ({ Name: name, Value: value })),
        ...(email.attachments.length > 0 && {
          Attachments: email.attachments.map(toSesAttachment),
        }),
      },
    },
    EmailTags: [
      { Name: feedbackIdTag, Value: email.feedbackId },
      { Name: 'ses:feedback-id-a', Value: email.feedbackId },
      { Name: 'ses:feedback-id-b', Value: email.organizationId },
    ],
    ConfigurationSetName: configurationSetName,
  };
}

/** Base64 on the wire too: SES's default is 7 bit, which bytes do not survive. */
function toSesAttachment({ filename, contentType, bytes }: OutgoingAttachment) {
  const type = contentType ?? fallbackContentType(filename);
  return {
    FileName: filename,
    RawContent: bytes,
    ContentDisposition: 'ATTACHMENT' as const,
    ContentTransferEncoding: 'BASE64' as const,
    ...(type !== undefined && { ContentType: type }),
  };
}

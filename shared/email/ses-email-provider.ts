import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { OutgoingAttachment } from '#shared/attachments/attachment';
import { fallbackContentType } from '#shared/attachments/content-type';
import { isConnectionNotMade, watchConnections } from '#shared/aws/connection-watch';
import { makeLean } from '#shared/aws/lean-client';
import { mailboxOf, parseMailbox } from '#shared/contacts/mailbox';
import { backOff, backoffCeiling } from '#shared/timing/backoff';
import { feedbackIdTag } from '#shared/tokens/resource-id';
import { CallTooLate, justBeforeEachTry, refuseAfter } from './call-deadline.ts';
import type {
  CallDeadline,
  EmailProvider,
  OutgoingEmail,
  ProviderOutcome,
} from './email-provider.ts';

/** Values: `config/send-attempt-time.ts`. */
export type SesSettings = {
  readonly configurationSetName: string;
  readonly callTimeoutMs: number;
  /** While SES throttles or is unreachable, new attempts begin only within this time of the first. */
  readonly retryBudgetMs: number;
};

const throttlingErrors = new Set([
  'TooManyRequestsException',
  'LimitExceededException',
  'ThrottlingException',
  'Throttling',
]);

/** Milliseconds. */
type ConnectionLimits = {
  /** After a freeze, SES may have closed an idle connection. */
  readonly idleMs: number;
  readonly connectMs: number;
};

const connectionLimits: ConnectionLimits = { idleMs: 5_000, connectMs: 1_000 };

/**
 * One attempt per call: the SDK would retry a timeout, and an email whose answer was lost would go out twice. Long-idle
 * connections aren't reused: a write to a dead one ends the call with its outcome unknown.
 */
export function openSesClient(limits: Partial<ConnectionLimits> = {}): SESv2Client {
  const { idleMs, connectMs } = { ...connectionLimits, ...limits };
  const reuse = { keepAlive: true, timeout: idleMs };
  return makeLean(
    new SESv2Client({
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler({
        httpAgent: watchConnections(new HttpAgent(reuse), 'connect', connectMs),
        httpsAgent: watchConnections(new HttpsAgent(reuse), 'secureConnect', connectMs),
      }),
    }),
  );
}

/** Pauses before retries: the first, and the longest. */
const pauses = [100, 2_000] as const;

/** Retries only if SES certainly doesn't have the email. */
export function createSesEmailProvider(client: SESv2Client, settings: SesSettings): EmailProvider {
  return async (email, deadline) => {
    const lastStart = Math.min(deadline.beginsBefore, Date.now() + settings.retryBudgetMs);
    let outcome: ProviderOutcome | undefined;
    for (let attempt = 1; Date.now() < lastStart; attempt += 1) {
      outcome = await callSes(client, settings, email, deadline);
      if (outcome.kind !== 'throttled' && outcome.kind !== 'unreachable') return outcome;
      if (outcome.kind === 'throttled' && email.isShedFirst) break;
      // Don't start a wait that may outlast the budget.
      const mayOutlast = Date.now() + backoffCeiling(attempt, ...pauses) >= lastStart;
      if (mayOutlast) break;
      await backOff(attempt, ...pauses);
    }
    return outcome ?? { kind: 'unreachable', cause: new CallTooLate() };
  };
}

async function callSes(
  client: SESv2Client,
  settings: SesSettings,
  email: OutgoingEmail,
  { beginsBefore, endsBefore }: CallDeadline,
): Promise<ProviderOutcome> {
  const timeoutMs = Math.min(settings.callTimeoutMs, endsBefore - Date.now());
  const command = new SendEmailCommand(toSendEmailInput(email, settings.configurationSetName));
  command.middlewareStack.add(refuseAfter(beginsBefore), justBeforeEachTry);
  try {
    const { MessageId } = await client.send(command, {
      abortSignal: AbortSignal.timeout(Math.max(0, timeoutMs)),
    });
    return MessageId === undefined
      ? { kind: 'unknown', cause: new Error('SES answered without a MessageId') }
      : { kind: 'accepted', providerMessageId: MessageId };
  } catch (error) {
    return outcomeOfError(error);
  }
}

/** Only a 4xx, or no connection, proves that SES didn't take the email. */
function outcomeOfError(error: unknown): ProviderOutcome {
  if (isConnectionNotMade(error) || error instanceof CallTooLate)
    return { kind: 'unreachable', cause: error };
  if (!(error instanceof SESv2ServiceException)) return { kind: 'unknown', cause: error };
  const status = error.$metadata.httpStatusCode ?? 0;
  const isRefusal = status >= 400 && status < 500 && status !== 408;
  if (!isRefusal) return { kind: 'unknown', cause: error };
  const isThrottling = status === 429 || throttlingErrors.has(error.name);
  return isThrottling ? { kind: 'throttled' } : { kind: 'refused', reason: error.name };
}

/**
 * Simple content: SES builds the MIME itself, so no header can be smuggled in and bcc never shows. The two
 * `ses:feedback-id` tags put the feedback id into the `Feedback-ID` header.
 */
function toSendEmailInput(email: OutgoingEmail, configurationSetName: string) {
  const utf8 = (text: string) => ({ Data: text, Charset: 'UTF-8' });
  const addresses = (list: OutgoingEmail['cc']) =>
    list.map(({ name, address }) => fittingMailbox(name, address));
  return {
    FromEmailAddress: fittingMailbox(email.senderName, email.fromEmail),
    ...(email.replyTo.length > 0 && { ReplyToAddresses: email.replyTo.map(inHeader) }),
    Destination: {
      ToAddresses: addresses(email.to),
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
    ...(email.tenantName !== undefined && { TenantName: email.tenantName }),
  };
}

/** SES refuses longer mailboxes, name included. */
const longestMailbox = 320;

/** Cuts a name that doesn't fit: 100 Chinese characters have 500 in a header. */
function fittingMailbox(name: string | undefined, address: string): string {
  const mailbox = mailboxOf(name, address);
  if (name === undefined || mailbox.length <= longestMailbox) return mailbox;
  const shorter = [...name].slice(0, -1).join('').trimEnd();
  return fittingMailbox(shorter === '' ? undefined : shorter, address);
}

function inHeader(text: string): string {
  const parsed = parseMailbox(text);
  return parsed.ok ? fittingMailbox(parsed.value.name, parsed.value.address.address) : text;
}

/** Base64 on the wire too: SES's default is 7 bit, which corrupts bytes. */
function toSesAttachment({ filename, contentType, contentId, bytes }: OutgoingAttachment) {
  const type = contentType ?? fallbackContentType(filename);
  return {
    FileName: filename,
    RawContent: bytes,
    ContentDisposition: contentId === undefined ? ('ATTACHMENT' as const) : ('INLINE' as const),
    ...(contentId !== undefined && { ContentId: contentId }),
    ContentTransferEncoding: 'BASE64' as const,
    ...(type !== undefined && { ContentType: type }),
  };
}

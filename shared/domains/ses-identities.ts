import { setTimeout as sleepFor } from 'node:timers/promises';
import {
  AlreadyExistsException,
  BadRequestException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetAccountCommand,
  GetEmailIdentityCommand,
  type GetEmailIdentityCommandOutput,
  NotFoundException,
  PutEmailIdentityFeedbackAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
  SESv2Client,
  SESv2ServiceException,
  TagResourceCommand,
  UntagResourceCommand,
} from '@aws-sdk/client-sesv2';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { callTimeouts } from '#shared/aws/call-timeouts';
import { capability } from '#shared/aws/capability';
import { makeLean } from '#shared/aws/lean-client';
import { accountEnvironment, sesIdentitiesEnvironment } from '#shared/config/environment';
import { ownerTag } from '#shared/config/ses-settings';
import { ServiceError } from '#shared/errors/service-error';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { SesAccount } from './account-state.ts';
import type { DomainAdoption } from './domain-ownership.ts';
import { dkimStatusOf, type SesDomain } from './ses-domain.ts';

/** A permanent refusal. AWS's own message, which at most names the domain. */
export class SesRefusal extends Error {
  override readonly name = 'SesRefusal';
}

/** The calls can be repeated, so the SDK retries them. */
export const openIdentityClient = (): SESv2Client =>
  makeLean(
    new SESv2Client({
      maxAttempts: 3,
      requestHandler: new NodeHttpHandler(callTimeouts(5_000)),
    }),
  );

const sesAccountOf = (client: SESv2Client, region: string) => ({
  async getAccount(): Promise<SesAccount> {
    const output = await answered(client.send(new GetAccountCommand({})));
    const { Max24HourSend: most = 0 } = output.SendQuota ?? {};
    return {
      region,
      hasProductionAccess: output.ProductionAccessEnabled === true,
      isSendingEnabled: output.SendingEnabled === true,
      enforcementStatus: output.EnforcementStatus ?? 'HEALTHY',
      ...(most > 0 && { dailyQuota: most }),
    };
  },
});

/** `undefined` if SES doesn't say, or has no limit. */
export type SendQuota = {
  /** Recipients per second. */
  readonly maxSendRate: number | undefined;
  /** Percentage of the 24-hour quota. */
  readonly usedPercent: number | undefined;
};

/** Source: SES API v2 reference, "SendQuota". */
export async function readSendQuota(client: SESv2Client): Promise<SendQuota> {
  const { SendQuota: quota = {} } = await client.send(new GetAccountCommand({}));
  const { MaxSendRate: rate = 0, Max24HourSend: most = 0, SentLast24Hours: sent = 0 } = quota;
  return {
    maxSendRate: rate > 0 ? rate : undefined,
    usedPercent: most > 0 ? (100 * sent) / most : undefined,
  };
}

export type SesAccountReader = ReturnType<typeof sesAccountOf>;

const accountKeptMs = 30_000;

/** Keeps an answer for 30 s, shared by concurrent callers. Failures aren't kept. */
function keepAccount(ses: SesAccountReader, now: () => number): SesAccountReader {
  let kept: { readonly at: number; readonly answer: Promise<SesAccount> } | undefined;
  return {
    getAccount: () => {
      if (kept !== undefined && now() - kept.at < accountKeptMs) return kept.answer;
      const asked = { at: now(), answer: ses.getAccount() };
      kept = asked;
      asked.answer.catch(() => {
        if (kept === asked) kept = undefined;
      });
      return asked.answer;
    },
  };
}

/** All organizations share the account, and the console's page polls. */
export const asksSesAccount = /* @__PURE__ */ capability(
  { environment: accountEnvironment, sesActions: ['GetAccount'] },
  ({ AWS_REGION }) => keepAccount(sesAccountOf(openIdentityClient(), AWS_REGION), Date.now),
);

/**
 * IAM lets the service change only domains with its tag, and may see a new tag some seconds after SES does ("changes
 * that I make are not always immediately visible": IAM guide, "Troubleshoot IAM"). These are milliseconds, five seconds
 * in all: a request makes two such calls.
 */
const pausesUntilTagged = [500, 1_000, 1_500, 2_000] as const;

type Sleep = (ms: number) => Promise<unknown>;

/** @throws ServiceError `provider_not_ready` */
async function onceTagged<Output>(sleep: Sleep, call: () => Promise<Output>): Promise<Output> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isDeniedBySes(error)) throw error;
      const pause = pausesUntilTagged[tries];
      if (pause === undefined) {
        const options = { cause: error, retryAfterSeconds: 10 };
        throw new ServiceError('provider_not_ready', undefined, options);
      }
      await sleep(pause);
    }
  }
}

/** @param identitiesArn the ARN of an identity, up to the slash before its name. */
export const sesIdentitiesOf = (
  client: SESv2Client,
  region: string,
  identitiesArn: string,
  sleep: Sleep = sleepFor,
) => ({
  ...sesAccountOf(client, region),

  /** `undefined` if SES doesn't have it. */
  async get(domain: string): Promise<SesDomain | undefined> {
    const command = new GetEmailIdentityCommand({ EmailIdentity: domain });
    const output = await answered(unless(NotFoundException, client.send(command)));
    return output && toSesDomain(output);
  },

  /**
   * Uses Easy DKIM. An existing domain is left unchanged.
   *
   * @throws SesRefusal
   */
  async create(domain: string, organizationId: OrganizationId): Promise<void> {
    const command = new CreateEmailIdentityCommand({
      EmailIdentity: domain,
      DkimSigningAttributes: { NextSigningKeyLength: 'RSA_2048_BIT' },
      Tags: [{ Key: ownerTag, Value: organizationId }],
    });
    await answered(unless(AlreadyExistsException, client.send(command)));
  },

  /**
   * Until its MX record is in DNS, SES uses its default.
   *
   * @throws SesRefusal, or ServiceError `provider_not_ready`
   */
  async setMailFrom(domain: string, mailFromDomain: string): Promise<void> {
    const command = new PutEmailIdentityMailFromAttributesCommand({
      EmailIdentity: domain,
      MailFromDomain: mailFromDomain,
      BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
    });
    await onceTagged(sleep, () => answered(client.send(command)));
  },

  /**
   * By default SES emails each bounce and complaint to the From address. That puts the recipient's address in a mailbox
   * that no erasure reaches, and the service gets them as events anyway. If SES refuses to stop, the next check asks
   * again.
   */
  async stopForwarding(domain: string): Promise<void> {
    const command = new PutEmailIdentityFeedbackAttributesCommand({
      EmailIdentity: domain,
      EmailForwardingEnabled: false,
    });
    await onceTagged(sleep, () => answered(unless(BadRequestException, client.send(command))));
  },

  async delete(domain: string): Promise<void> {
    const command = new DeleteEmailIdentityCommand({ EmailIdentity: domain });
    await onceTagged(sleep, () => answered(unless(NotFoundException, client.send(command))));
  },

  /** Undoes the adoption of a domain. The tag goes last: IAM allows changes of tagged domains only. */
  async giveBack(
    domain: string,
    { forwardsBounces: EmailForwardingEnabled }: Pick<DomainAdoption, 'forwardsBounces'>,
  ): Promise<void> {
    const EmailIdentity = domain;
    const forward = { EmailIdentity, EmailForwardingEnabled };
    const command = new PutEmailIdentityFeedbackAttributesCommand(forward);
    await onceTagged(sleep, () => answered(client.send(command)));
    const ResourceArn = `${identitiesArn}/${domain}`;
    const untag = new UntagResourceCommand({ ResourceArn, TagKeys: [ownerTag] });
    await onceTagged(sleep, () => answered(client.send(untag)));
  },

  async tag(domain: string, organizationId: OrganizationId): Promise<void> {
    const command = new TagResourceCommand({
      ResourceArn: `${identitiesArn}/${domain}`,
      Tags: [{ Key: ownerTag, Value: organizationId }],
    });
    await onceTagged(sleep, () => answered(client.send(command)));
  },
});
export type SesIdentities = ReturnType<typeof sesIdentitiesOf>;

/** Asks SES for its domains, or changes them. */
export const worksOnSesIdentities = <const Actions extends readonly string[]>(
  sesActions: Actions,
) =>
  capability(
    { environment: sesIdentitiesEnvironment, sesActions },
    ({ AWS_REGION, SES_IDENTITIES_ARN }) =>
      sesIdentitiesOf(openIdentityClient(), AWS_REGION, SES_IDENTITIES_ARN),
  );

function toSesDomain(output: GetEmailIdentityCommandOutput): SesDomain {
  const { DkimAttributes: dkim, MailFromAttributes: mailFrom, Tags = [] } = output;
  const word = dkim?.Status ?? 'NOT_STARTED';
  const status = dkimStatusOf(word);
  const errorType =
    output.VerificationInfo?.ErrorType ?? (status === 'UNKNOWN' ? `DKIM ${word}` : undefined);
  return {
    ownerId: Tags.find(({ Key }) => Key === ownerTag)?.Value,
    dkim: {
      status,
      tokens: dkim?.Tokens ?? [],
      hostedZone: dkim?.SigningHostedZone ?? 'dkim.amazonses.com',
    },
    mailFrom:
      mailFrom?.MailFromDomain === undefined
        ? undefined
        : {
            domain: mailFrom.MailFromDomain,
            status: dkimStatusOf(mailFrom.MailFromDomainStatus ?? 'PENDING'),
          },
    forwardsBounces: output.FeedbackForwardingStatus !== false,
    errorType,
  };
}

/** Turns this error into `undefined`: the goal is already met. */
export async function unless<Output>(
  expected: abstract new (...args: never) => Error,
  answer: Promise<Output>,
): Promise<Output | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof expected) return undefined;
    throw error;
  }
}

/** Signature and permissions: the deployment's fault, and AWS's message names its roles. */
const faultsOfOurs = new Set([401, 403]);

const isDeniedBySes = (error: unknown): boolean =>
  error instanceof SESv2ServiceException && error.name === 'AccessDeniedException';

/**
 * Only a 4xx that is neither throttling nor our fault is a refusal.
 *
 * @throws SesRefusal, or ServiceError `provider_throttled`, `provider_unreachable`
 */
export async function answered<Output>(answer: Promise<Output>): Promise<Output> {
  try {
    return await answer;
  } catch (error) {
    const status = error instanceof SESv2ServiceException ? error.$metadata.httpStatusCode : 0;
    if (status === 429)
      throw new ServiceError('provider_throttled', askAgain, whenThrottled(error));
    if (status !== undefined && faultsOfOurs.has(status)) throw error;
    const isRefusal = status !== undefined && status >= 400 && status < 500 && status !== 408;
    if (isRefusal && error instanceof Error) {
      throw new SesRefusal(`${error.name}: ${error.message}`, { cause: error });
    }
    throw new ServiceError('provider_unreachable', askAgain, { cause: error });
  }
}

const askAgain = 'SES answered unexpectedly. Repeat the request to pick up where it stopped.';
const whenThrottled = (cause: unknown) => ({ cause, retryAfterSeconds: 5 });

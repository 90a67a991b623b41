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
} from '@aws-sdk/client-sesv2';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { makeLean } from '#shared/aws/lean-client';
import { ownerTag } from '#shared/config/stack-facts';
import { ServiceError } from '#shared/errors/service-error';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { SesAccount } from './account-state.ts';
import type { SesDomain } from './ses-domain.ts';

/** SES refuses a domain for good. The message is AWS's own, and names the domain at most. */
export class SesRefusal extends Error {
  override readonly name = 'SesRefusal';
}

/** Opens the SES client for identities. These calls may be repeated, so the SDK repeats them. */
export const openIdentityClient = (): SESv2Client =>
  makeLean(
    new SESv2Client({
      maxAttempts: 3,
      requestHandler: new NodeHttpHandler({
        connectionTimeout: 1_000,
        requestTimeout: 5_000,
        throwOnRequestTimeout: true,
      }),
    }),
  );

/** What SES lets this AWS account do. */
export const openSesAccount = (client: SESv2Client, region: string) => ({
  async getAccount(): Promise<SesAccount> {
    const output = await answered(client.send(new GetAccountCommand({})));
    return {
      region,
      hasProductionAccess: output.ProductionAccessEnabled === true,
      isSendingEnabled: output.SendingEnabled === true,
      enforcementStatus: output.EnforcementStatus ?? 'HEALTHY',
    };
  },
});

export type SesAccountReader = ReturnType<typeof openSesAccount>;

const accountKeptMs = 30_000;

/** Asks once in 30 s, and once for all that ask at a time. An answer that did not come is not kept. */
export function keepAccount(ses: SesAccountReader, now: () => number): SesAccountReader {
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

/**
 * The domains of this AWS account in SES.
 *
 * @param identitiesArn the ARN of an identity, up to the slash before its name.
 */
export const openSesIdentities = (client: SESv2Client, region: string, identitiesArn: string) => ({
  ...openSesAccount(client, region),

  /** The domain as SES has it; `undefined` when it does not. */
  async get(domain: string): Promise<SesDomain | undefined> {
    const command = new GetEmailIdentityCommand({ EmailIdentity: domain });
    const output = await answered(unless(NotFoundException, client.send(command)));
    return output && toSesDomain(output);
  },

  /**
   * Creates the domain with Easy DKIM, for the organization. One that is there already stays as it is.
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
   * Sets the domain that bounces go to. Until DNS has its MX record, SES uses one of its own.
   *
   * @throws SesRefusal
   */
  async setMailFrom(domain: string, mailFromDomain: string): Promise<void> {
    const command = new PutEmailIdentityMailFromAttributesCommand({
      EmailIdentity: domain,
      MailFromDomain: mailFromDomain,
      BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
    });
    await answered(client.send(command));
  },

  /**
   * Keeps SES from emailing each bounce and complaint to the From address: the service gets them as events, and such
   * an email carries the recipient's address into a mailbox that no erasure reaches. SES forwards until it is told
   * not to. Should it refuse, the domain is good all the same, and the next check asks again.
   */
  async stopForwarding(domain: string): Promise<void> {
    const command = new PutEmailIdentityFeedbackAttributesCommand({
      EmailIdentity: domain,
      EmailForwardingEnabled: false,
    });
    await answered(unless(BadRequestException, client.send(command)));
  },

  /** Takes the domain out of SES, if it is there. */
  async delete(domain: string): Promise<void> {
    const command = new DeleteEmailIdentityCommand({ EmailIdentity: domain });
    await answered(unless(NotFoundException, client.send(command)));
  },

  /** Says by its tag for which organization SES keeps the domain from now on. */
  async tag(domain: string, organizationId: OrganizationId): Promise<void> {
    const command = new TagResourceCommand({
      ResourceArn: `${identitiesArn}/${domain}`,
      Tags: [{ Key: ownerTag, Value: organizationId }],
    });
    await answered(client.send(command));
  },
});
export type SesIdentities = ReturnType<typeof openSesIdentities>;

function toSesDomain(output: GetEmailIdentityCommandOutput): SesDomain {
  const { DkimAttributes: dkim, MailFromAttributes: mailFrom, Tags = [] } = output;
  const { ErrorType: errorType } = output.VerificationInfo ?? {};
  return {
    ownerId: Tags.find(({ Key }) => Key === ownerTag)?.Value,
    dkim: {
      status: dkim?.Status ?? 'NOT_STARTED',
      tokens: dkim?.Tokens ?? [],
      hostedZone: dkim?.SigningHostedZone ?? 'dkim.amazonses.com',
    },
    mailFrom:
      mailFrom?.MailFromDomain === undefined
        ? undefined
        : { domain: mailFrom.MailFromDomain, status: mailFrom.MailFromDomainStatus ?? 'PENDING' },
    forwardsBounces: output.FeedbackForwardingStatus !== false,
    errorType,
  };
}

/** The answer, or `undefined` when it is this error: what was wanted is so already. */
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

/** Of the request's signature and rights: the deployment's fault, and AWS's words name its roles. */
const faultsOfOurs = new Set([401, 403]);

/**
 * SES's answer. Only a 4xx that is neither throttling nor a fault of ours says that SES will not do it.
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

const askAgain =
  'SES did not answer as it should. Repeat the request: what was done by then stays done.';
const whenThrottled = (cause: unknown) => ({ cause, retryAfterSeconds: 5 });

import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  SESv2Client,
  TooManyRequestsException,
} from '@aws-sdk/client-sesv2';
import { makeLean } from '#shared/aws/lean-client';
import { ServiceError } from '#shared/errors/service-error';

/**
 * SES's own list of the account, all organizations of the deployment together: SES takes an email to an address
 * on it and does not send it. SES keeps the addresses as they were sent to, and knows them by that spelling only
 * (SES developer guide, "Managing tenant suppression list entries", Important).
 */
export const openProviderSuppressionList = (client = openClient()) => ({
  /**
   * Takes an address off the list, in each of its spellings.
   *
   * @returns whether it was on the list.
   * @throws ServiceError `provider_throttled`
   */
  remove: async (spellings: readonly string[]): Promise<boolean> => {
    const removals = spellings.map((EmailAddress) =>
      unlessMissing(client.send(new DeleteSuppressedDestinationCommand({ EmailAddress }))),
    );
    return (await Promise.all(removals)).some((removed) => removed !== undefined);
  },

  /** What the list says of an address, in whichever of its spellings; `undefined` if it is not on the list. */
  get: async (spellings: readonly string[]): Promise<ProviderSuppression | undefined> => {
    const answers = await Promise.all(
      spellings.map((EmailAddress) =>
        unlessMissing(client.send(new GetSuppressedDestinationCommand({ EmailAddress }))),
      ),
    );
    const listed = answers.find((answer) => answer?.SuppressedDestination !== undefined);
    const { Reason, LastUpdateTime } = listed?.SuppressedDestination ?? {};
    if (listed === undefined) return undefined;
    return {
      reason: Reason === 'COMPLAINT' ? 'complaint' : 'bounce',
      at: LastUpdateTime?.getTime(),
    };
  },
});
export type ProviderSuppressionList = ReturnType<typeof openProviderSuppressionList>;

/** An address on SES's own list: why, and since when (epoch milliseconds). */
export type ProviderSuppression = {
  readonly reason: 'bounce' | 'complaint';
  readonly at: number | undefined;
};

const openClient = () => makeLean(new SESv2Client({}));

async function unlessMissing<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    if (error instanceof TooManyRequestsException) throw throttled(error);
    throw error;
  }
}

const throttled = (cause: unknown): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'Amazon SES is limiting calls about its own suppression list. Wait for Retry-After, then repeat the request.',
    { cause, retryAfterSeconds: 2 },
  );

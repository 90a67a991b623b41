import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';

/** What the user says of the account. The SDK finds the rest. */
export type AwsChoice = { readonly profile?: string; readonly region?: string };

/** An AWS account in one Region: what the clients of its services are opened with. */
export type AwsAccount = AwsChoice &
  Pick<CloudFormationClientConfig, 'credentials' | 'requestHandler'> & {
    readonly region: string;
    /** In place of AWS's own. */
    readonly endpoint?: string;
  };

/** The SDK itself would wait for ever. It tries three times. */
const requestHandler = {
  connectionTimeout: 5_000,
  requestTimeout: 20_000,
  throwOnRequestTimeout: true,
} as const;

/**
 * Opens an account as the SDK finds it: by `AWS_PROFILE`, `AWS_REGION` and ~/.aws/config, with single sign-on and
 * roles. All clients share the credentials, so a profile that asks for a code asks once.
 *
 * Source: AWS SDKs and Tools Reference Guide, "Standardized credential providers" and "AWS Region".
 *
 * @throws Failure without a Region.
 */
export async function openAwsAccount(choice: AwsChoice): Promise<AwsAccount> {
  const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
  const { config } = new CloudFormationClient(choice);
  try {
    const region = await config.region();
    return { ...choice, region, credentials: config.credentials, requestHandler };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      exitCodes.usage,
      'no_region',
      `Say in which Region: --region, AWS_REGION, or the profile in ~/.aws/config. ${reason}`,
    );
  }
}

import type { CloudFormationClientConfig } from '@aws-sdk/client-cloudformation';
import type { ServiceException } from '@smithy/core/client';
import { exitCodes, Failure } from '../failure.ts';

/** Chosen by the user; the SDK finds the rest. */
export type AwsChoice = { readonly profile?: string; readonly region?: string };

export type AwsAccount = AwsChoice &
  Pick<CloudFormationClientConfig, 'credentials' | 'requestHandler'> & {
    readonly region: string;
    /** Replaces AWS's own. */
    readonly endpoint?: string;
  };

/** By default, the SDK waits forever. It tries three times. */
const requestHandler = {
  connectionTimeout: 5_000,
  requestTimeout: 20_000,
  throwOnRequestTimeout: true,
} as const;

/**
 * Found the SDK's way: by `AWS_PROFILE`, `AWS_REGION` and ~/.aws/config, with single sign-on and roles. All clients
 * share the credentials, so a profile that asks for a code asks once.
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
      `Which Region? Use --region, AWS_REGION, or the profile in ~/.aws/config. ${reason}`,
    );
  }
}

/**
 * The SDK's clients load slowly, so `ask` imports the one that it needs.
 *
 * @throws Failure with AWS's code and words, and what to do.
 */
export async function askAws<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof Error ? await explain(error) : error;
  }
}

async function explain(error: Error): Promise<Error> {
  if (error instanceof Failure) return error;
  const { ServiceException } = await import('@smithy/core/client');
  const { ProviderError } = await import('@smithy/core/config');
  if (error instanceof ServiceException) return explainRefusal(error);
  if (error instanceof ProviderError) {
    const message = `No AWS credentials: ${error.message}`;
    const todo =
      'Name a profile that ~/.aws/config has, with --profile or AWS_PROFILE. With single sign-on, run aws sso login first.';
    return new Failure(exitCodes.denied, 'no_credentials', message, todo);
  }
  // Node's network errors have codes. The SDK's timeout only has a name.
  if (error.name === 'TimeoutError' || 'code' in error) {
    const message = `AWS doesn't answer: ${error.message || error.name}`;
    const todo = 'Check the Region and the network.';
    return new Failure(exitCodes.unavailable, 'no_answer', message, todo);
  }
  return error;
}

const isServiceTodo = 'Check --stack, --region and --profile.';

/** AWS has several codes for the same thing. The first match counts. */
const meanings = [
  {
    code: /Throttl|TooManyRequests|RequestLimitExceeded/,
    exitCode: exitCodes.unavailable,
    todo: 'AWS throttles these calls: try again in a minute.',
  },
  {
    code: /Expired/,
    exitCode: exitCodes.denied,
    todo: 'Sign in to AWS again, for example with aws sso login.',
  },
  {
    code: /AccessDenied|Unauthorized|NotAuthorized|InvalidClientTokenId|UnrecognizedClient|Signature/,
    exitCode: exitCodes.denied,
    todo: 'Use a profile with the permissions that "Command line" in infra/README.md lists.',
  },
  { code: /NotFound|DoesNotExist/, exitCode: exitCodes.notFound, todo: isServiceTodo },
  // CloudFormation's only code for a missing stack.
  { code: /^ValidationError$/, exitCode: exitCodes.failed, todo: isServiceTodo },
] as const;

function explainRefusal({ name, message, $metadata }: ServiceException): Failure {
  // The SDK's text if AWS sent no message.
  const says = `AWS refused: ${message === 'UnknownError' ? name : message}`;
  const meaning = meanings.find(({ code }) => code.test(name));
  if (meaning !== undefined) return new Failure(meaning.exitCode, name, says, meaning.todo);
  if (($metadata.httpStatusCode ?? 0) < 500) return new Failure(exitCodes.failed, name, says);
  const todo = 'This is a fault at AWS: try again later.';
  return new Failure(exitCodes.unavailable, name, says, todo);
}

import type { AwsChoice } from './aws/aws-account.ts';
import { openSecret } from './aws/secrets.ts';
import { readStackOutputs } from './aws/stack.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';
import type { Surroundings } from './surroundings.ts';
import type { Target } from './target.ts';

/** The deployed stack in an AWS account, by its outputs. The operator secret is read when it is needed. */
export async function openStackTarget(
  { stack, profile, region }: AwsChoice & { readonly stack: string },
  { openAwsAccount }: Pick<Surroundings, 'openAwsAccount'>,
): Promise<Target> {
  const account = await openAwsAccount({
    ...(profile !== undefined && { profile }),
    ...(region !== undefined && { region }),
  });
  const outputs = await readStackOutputs(account, stack);
  const baseUrl = outputs['BaseUrl'];
  if (baseUrl === undefined) {
    const message = `The stack ${stack} in ${account.region} has no output BaseUrl: is it this service, and deployed?`;
    throw new Failure(exitCodes.notFound, 'no_base_url', message);
  }
  return {
    name: `stack ${stack} in ${account.region}`,
    kind: 'stack',
    baseUrl,
    operatorSecret: async () =>
      (await openSecret(account, requireOutput(outputs, 'OperatorSecretArn')).read()).text,
    signingKey: () => openSecret(account, requireOutput(outputs, 'TokenSigningKeyArn')),
    deployment: { account, stackName: stack },
    whenSilent: 'Is the stack deployed?',
  };
}

function requireOutput(outputs: Readonly<Record<string, string>>, name: string): string {
  const value = outputs[name];
  if (value !== undefined) return value;
  const message = `The stack has no output ${name}: deploy this version first (npx cdk deploy).`;
  throw new Failure(exitCodes.notFound, 'no_output', message);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { openTable } from '#shared/table/table-client';
import { keyringSecretSchema } from '#shared/tokens/signed-token';
import { readStackOutputs } from '../../infra/manage/aws/deployment.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import type { Engine } from './engine.ts';

const outputsShape = z.object({
  BaseUrl: z.url(),
  TableName: z.string(),
  OperatorSecretArn: z.string(),
  TokenSigningKeyArn: z.string(),
});

/** A deployment of the service, by what its stack tells. */
export async function openStack(engine: Engine, stackName: string) {
  const outputs = outputsShape.parse(await readStackOutputs({ region: engine.region }, stackName));
  const [signingKey = '', operatorSecret = ''] = await Promise.all(
    [outputs.TokenSigningKeyArn, outputs.OperatorSecretArn].map(readSecret),
  );
  return {
    url: () => outputs.BaseUrl,
    account: engine.ses,
    inbox: engine.inbox,
    table: openTable(outputs.TableName),
    keyring: keyringSecretSchema.parse(signingKey),
    operatorSecret,
    /** Runs the command line as an operator does. @throws Error when it fails, with what it printed. */
    manage: (words: readonly string[], key = '') =>
      manage([...words, '--stack', stackName], { ...engine.environment, EMAIL_SERVICE_KEY: key }),
  };
}
export type DeployedStack = Awaited<ReturnType<typeof openStack>>;

async function readSecret(SecretId: string): Promise<string> {
  const { SecretString = '' } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId }),
  );
  return SecretString;
}

async function manage(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(process.execPath, [resolve('infra/manage/main.ts'), ...words], {
    env: { ...bareEnvironment(), ...environment },
  });
  const ended = once(child, 'exit');
  const [output, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  if (child.exitCode !== 0) throw new Error(`manage ${words.join(' ')}: ${output}${said}`);
  return output;
}

export type Resource = {
  readonly type: string;
  readonly logicalId: string;
  readonly id: string;
  readonly status: string;
};

/** What a stack has, with what is in stacks nested in it. */
export async function resourcesOf(stackName: string): Promise<readonly Resource[]> {
  const client = new CloudFormationClient({});
  const resources: Resource[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stackName })) {
    for (const one of page.StackResourceSummaries ?? []) {
      const type = one.ResourceType ?? '';
      const { LogicalResourceId: logicalId = '', PhysicalResourceId: id = '' } = one;
      resources.push({ type, logicalId, id, status: one.ResourceStatus ?? '' });
      if (type === 'AWS::CloudFormation::Stack') resources.push(...(await resourcesOf(id)));
    }
  }
  return resources;
}

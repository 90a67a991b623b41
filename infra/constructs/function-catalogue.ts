import type { BackgroundFunction, Trigger } from '#shared/endpoints/background-function';
import type { Access } from '#shared/endpoints/endpoint';
import type { Lambda, SecretName } from '#shared/endpoints/lambda';
import {
  backgroundFunctions,
  type DeclaringFunctionName,
  declaringFunctions,
  type FunctionName,
} from '../../functions/endpoints.ts';
import { endpointNames, endpointOf } from '../../functions/routes.ts';
import { lambdaOf } from './joined-roles.ts';

type BackgroundName = keyof typeof backgroundFunctions;
const backgroundNames = Object.keys(backgroundFunctions).filter(
  (name): name is BackgroundName => name in backgroundFunctions,
);

export type FunctionDeclaration = Lambda & {
  readonly name: string;
  readonly trigger: Trigger;
  /** Admits callers by API key. It may record a key's use, but change nothing else of it. */
  readonly admitsKeys?: boolean;
  readonly notesRefusals?: boolean;
  readonly countsChanges?: boolean;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
};

/** HTTP API stops waiting after 30 s. A function that stops a second earlier logs and counts its own timeout. */
export const httpTimeoutSeconds = 29;

/** A send of 10 MB takes 393 MB at most, one of 25 MB takes 614: measured with the content kept. */
const largestEmails = { usualMb: 10, memoryMegabytes: 1024 };

export const memoryOf = (
  { memoryMegabytes, holdsLargestEmail }: FunctionDeclaration,
  { attachmentsMaxTotalMb }: { readonly attachmentsMaxTotalMb: number },
): number =>
  holdsLargestEmail === true && attachmentsMaxTotalMb > largestEmails.usualMb
    ? Math.max(memoryMegabytes, largestEmails.memoryMegabytes)
    : memoryMegabytes;

const usual = { timeoutSeconds: httpTimeoutSeconds, memoryMegabytes: 512 };

/** `function-access.ts` turns this into IAM policies. */
export const functionCatalogue: readonly (FunctionDeclaration & { name: FunctionName })[] = [
  ...endpointNames.map((name) => {
    const endpoint = endpointOf(name);
    const { access, isLimited = false } = endpoint;
    const lambda = lambdaOf(endpoint);
    const isKeyed = typeof access === 'object';
    return {
      ...usual,
      ...lambda,
      name,
      trigger: 'http-api' as const,
      admitsKeys:
        (isKeyed || access === 'session' || access === 'operator') && lambda.signsIn !== true,
      notesRefusals: isKeyed,
      countsChanges: isLimited,
      readsSecrets: [...secretOf(access), ...(lambda.readsSecrets ?? [])],
    };
  }),
  ...backgroundNames.map((name) => declarationOf(name, backgroundFunctions[name])),
];

function declarationOf<Name extends string>(name: Name, declared: BackgroundFunction) {
  return { ...usual, ...lambdaOf(declared), name, trigger: declared.trigger };
}

/** Only a stack with custom resources needs it. */
export const declaringFunction = (
  name: DeclaringFunctionName,
): FunctionDeclaration & { name: DeclaringFunctionName } =>
  declarationOf(name, declaringFunctions[name]);

export const declaringNames = Object.keys(declaringFunctions).filter(
  (name): name is DeclaringFunctionName => name in declaringFunctions,
);

export const sendFunctions: readonly FunctionName[] = functionCatalogue
  .filter(({ trigger, sendsEmail }) => trigger === 'http-api' && sendsEmail === true)
  .map(({ name }) => name);

/**
 * What emails depend on: the functions that send them, the ones their links lead to, and the ones that no request
 * starts. With `gradualDeployment`, these shift by alias. Others get too few requests for an alarm to judge in ten
 * minutes, and CodeDeploy throttles the creation of a hundred deployment groups at once.
 */
export const shiftsGradually = ({
  trigger,
  sendsEmail,
  deliversWebhooks,
  reservation,
}: FunctionDeclaration): boolean =>
  [trigger !== 'http-api', sendsEmail, deliversWebhooks, reservation].some(Boolean);

function secretOf(access: Access): readonly SecretName[] {
  if (access === 'operator') return ['operatorSecret'];
  return access === 'cron_secret' ? ['cronSecret'] : [];
}

import type { Access } from '#shared/endpoints/endpoint';
import type { BackgroundLambda, Lambda, SecretName } from '#shared/endpoints/lambda';
import { backgroundFunctions, type FunctionName } from '../../functions/endpoints.ts';
import { endpointNames, endpointOf } from '../../functions/routes.ts';

type BackgroundName = keyof typeof backgroundFunctions;
const backgroundLambdas: Readonly<Record<BackgroundName, BackgroundLambda>> = backgroundFunctions;
const backgroundNames = Object.keys(backgroundFunctions).filter(
  (name): name is BackgroundName => name in backgroundFunctions,
);

/** What one function is, and all it may do. */
export type FunctionDeclaration = Lambda & {
  /** Folder under `functions/`; also the construct id. */
  readonly name: string;
  readonly trigger: BackgroundLambda['trigger'];
  /** Admits callers by API key: it may note on a key that it was used, and change nothing else of it. */
  readonly admitsKeys?: boolean;
  /** Notes the requests that it refuses a key. */
  readonly notesRefusals?: boolean;
  /** Counts its requests in the day of their organization. */
  readonly countsChanges?: boolean;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
};

/** HTTP API stops waiting after 30 s. A function that stops a second earlier logs and counts its own timeout. */
export const httpTimeoutSeconds = 29;

const usual = { timeoutSeconds: httpTimeoutSeconds, memoryMegabytes: 512 };

/** Every function of the service. `function-access.ts` makes IAM policies of what it may do. */
export const functionCatalogue: readonly (FunctionDeclaration & { name: FunctionName })[] = [
  ...endpointNames.map((name) => {
    const { lambda, access, isLimited = false } = endpointOf(name);
    return {
      ...usual,
      ...lambda,
      name,
      trigger: 'http-api' as const,
      admitsKeys: takesKey(access) && lambda.signsIn !== true,
      notesRefusals: typeof access === 'object',
      countsChanges: isLimited,
      readsSecrets: [...secretOf(access), ...(lambda.readsSecrets ?? [])],
    };
  }),
  ...backgroundNames.map((name) => ({ ...usual, ...backgroundLambdas[name], name })),
];

/** The functions that answer a request to send. */
export const sendFunctions: readonly FunctionName[] = functionCatalogue
  .filter(({ trigger, sendsEmail }) => trigger === 'http-api' && sendsEmail === true)
  .map(({ name }) => name);

function takesKey(access: Access): boolean {
  return access === 'session' || typeof access === 'object';
}

function secretOf(access: Access): readonly SecretName[] {
  if (access === 'operator_secret') return ['operatorSecret'];
  return access === 'cron_secret' ? ['cronSecret'] : [];
}

import type { Code } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { EndpointStackName } from '#shared/endpoints/lambda';
import { contentGroups } from '#shared/stored-content/content-lifetimes';
import type { DeclaringFunctionName, FunctionName } from '../../functions/endpoints.ts';
import { reservedConcurrencyOf } from './concurrency.ts';
import { chainInWaves, EndpointStack } from './endpoint-stack.ts';
import {
  grantAttachments,
  grantAuditEntries,
  grantContents,
  grantCountInDay,
  grantEncryption,
  grantNoteOfKeyUse,
  grantNoteOfRefusals,
  grantNoteOfUse,
  grantReadSecret,
  grantSendMessages,
  grantSignIn,
  grantTableAccess,
} from './function-access.ts';
import { bundleFunctions } from './function-bundles.ts';
import {
  declaringFunction,
  type FunctionDeclaration,
  functionCatalogue,
} from './function-catalogue.ts';
import { environmentOf, type FunctionSurroundings } from './function-environment.ts';
import { ServiceFunction } from './service-function.ts';
import {
  grantSendEmail,
  grantSesIdentities,
  grantSesTenants,
  grantSuppressedDestinations,
} from './ses-access.ts';

/** The catalogue's functions, with the environment and permissions that they declare. */
export class ServiceFunctions extends Construct {
  readonly #functions = new Map<FunctionName, ServiceFunction>();
  readonly #declaring = new Map<DeclaringFunctionName, ServiceFunction>();
  readonly #endpointStacks = new Map<EndpointStackName, EndpointStack>();
  readonly #surroundings: FunctionSurroundings;

  constructor(scope: Construct, id: string, surroundings: FunctionSurroundings) {
    super(scope, id);
    this.#surroundings = surroundings;
    const bundles = bundleFunctions(this, functionCatalogue);
    for (const declaration of functionCatalogue) {
      const code = bundles.codeOf(declaration.name);
      this.#functions.set(declaration.name, this.#create(declaration, code));
    }
    bundles.remove();
    chainInWaves(
      [...this.#endpointStacks].map(([name, stack]) => ({
        stack,
        integrations: endpointsOf(name),
      })),
    );
  }

  get(name: FunctionName): ServiceFunction {
    const found = this.#functions.get(name);
    if (found === undefined) throw new Error(`The function catalogue has no ${name}`);
    return found;
  }

  /** Made when the first custom resource asks for it. */
  declaring(name: DeclaringFunctionName): ServiceFunction {
    const known = this.#declaring.get(name);
    if (known !== undefined) return known;
    const declaration = declaringFunction(name);
    const bundles = bundleFunctions(this, [declaration]);
    const created = this.#create(declaration, bundles.codeOf(name));
    bundles.remove();
    this.#declaring.set(name, created);
    return created;
  }

  /** Lets the functions that remove domains from SES give back those that SES had before. */
  allowGivingBack(): void {
    for (const { name, sesActions = [] } of functionCatalogue) {
      if (!sesActions.includes('DeleteEmailIdentity')) continue;
      grantSesIdentities(this.get(name).role, givesBack);
    }
  }

  #create(declaration: FunctionDeclaration, code: Code): ServiceFunction {
    const { config } = this.#surroundings;
    const serviceFunction = new ServiceFunction(this.#scopeOf(declaration), declaration.name, {
      declaration,
      code,
      environment: environmentOf(declaration, this.#surroundings),
      config,
      reservedConcurrency: reservedConcurrencyOf(declaration, config),
    });
    grantDeclared(serviceFunction, declaration, this.#surroundings);
    grantEncryption(serviceFunction.role, config);
    return serviceFunction;
  }

  #scopeOf({ stack: name }: FunctionDeclaration): Construct {
    if (name === undefined) return this;
    const stack = this.#endpointStacks.get(name) ?? new EndpointStack(this, name);
    this.#endpointStacks.set(name, stack);
    return stack;
  }
}

const endpointsOf = (name: EndpointStackName): number =>
  functionCatalogue.filter(({ stack }) => stack === name).length;

const givesBack = ['PutEmailIdentityFeedbackAttributes', 'UntagResource'] as const;

function grantDeclared(
  { role }: ServiceFunction,
  declaration: FunctionDeclaration,
  surroundings: FunctionSurroundings,
): void {
  const { table, secrets, configurationSet, webhookQueue, testEventQueue } = surroundings;
  const { attachmentsBucket, entitlements } = surroundings;
  grantTableAccess(role, table, declaration);
  if (declaration.admitsKeys) grantNoteOfKeyUse(role, table);
  if (declaration.notesRefusals) grantNoteOfRefusals(role, table);
  if (declaration.countsChanges || declaration.countsInDay) grantCountInDay(role, table);
  if (declaration.signsIn) grantSignIn(role, table);
  if (declaration.notesUse) grantNoteOfUse(role, table);
  if (declaration.writesAudit) grantAuditEntries(role, table);
  for (const name of declaration.readsSecrets ?? []) grantReadSecret(role, secrets[name].secretArn);
  const { oidc, alarmTargetsSecretArn } = surroundings.config;
  if (declaration.readsOidcSecret && oidc) grantReadSecret(role, oidc.clientSecretArn);
  if (declaration.readsAlarmTargets && alarmTargetsSecretArn) {
    grantReadSecret(role, alarmTargetsSecretArn);
  }
  if (declaration.sendsEmail) grantSendEmail(role, configurationSet);
  if (declaration.sesActions) grantSesIdentities(role, declaration.sesActions);
  if (declaration.tenantActions && surroundings.config.sesTenants) {
    grantSesTenants(role, declaration.tenantActions, configurationSet);
  }
  if (declaration.attachmentsBucket) {
    grantAttachments(role, attachmentsBucket, declaration.attachmentsBucket);
    if (entitlements) grantReadSecret(role, entitlements.secretArn);
  }
  for (const group of contentGroups) {
    const actions = declaration.contents?.[group];
    if (actions) grantContents(role, attachmentsBucket, group, actions);
  }
  if (declaration.suppressedDestinations) {
    grantSuppressedDestinations(role, declaration.suppressedDestinations);
  }
  if (declaration.wakesWebhookQueue) grantSendMessages(role, webhookQueue);
  if (declaration.sendsTestEmail) grantSendMessages(role, testEventQueue);
  if (declaration.wakesSendQueue) grantSendMessages(role, surroundings.sendQueue);
}

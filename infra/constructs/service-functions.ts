import type { Code } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { longestAttemptMs, longestCallMs } from '#shared/config/attempt-time';
import { contentGroups } from '#shared/content/content-kinds';
import type { EndpointStackName } from '#shared/endpoints/lambda';
import type { FunctionName } from '../../functions/endpoints.ts';
import { assertReservable, reservedConcurrencyOf } from './concurrency.ts';
import type { DeploymentConfig } from './deployment-config.ts';
import { EndpointStack } from './endpoint-stack.ts';
import {
  grantAttachments,
  grantAuditEntries,
  grantContents,
  grantCountOfChanges,
  grantNoteOfKeyUse,
  grantNoteOfRefusals,
  grantNoteOfUse,
  grantReadSecret,
  grantSendMessages,
  grantSignIn,
  grantTableAccess,
} from './function-access.ts';
import { bundleFunctions } from './function-bundles.ts';
import { type FunctionDeclaration, functionCatalogue } from './function-catalogue.ts';
import { environmentOf, type FunctionSurroundings } from './function-environment.ts';
import { ServiceFunction } from './service-function.ts';
import {
  grantSendEmail,
  grantSesIdentities,
  grantSesTenants,
  grantSuppressedDestinations,
} from './ses-access.ts';

/** Every function of the catalogue, with the environment and the permissions its entry declares. */
export class ServiceFunctions extends Construct {
  readonly #functions = new Map<FunctionName, ServiceFunction>();
  readonly #endpointStacks = new Map<EndpointStackName, EndpointStack>();

  constructor(scope: Construct, id: string, surroundings: FunctionSurroundings) {
    super(scope, id);
    const declarations: readonly (FunctionDeclaration & { name: FunctionName })[] =
      functionCatalogue;
    assertReservable(declarations, surroundings.config);
    const bundles = bundleFunctions(this, declarations);
    for (const declaration of declarations) {
      const code = bundles.codeOf(declaration.name);
      this.#functions.set(declaration.name, this.#create(declaration, code, surroundings));
    }
    bundles.remove();
  }

  get(name: FunctionName): ServiceFunction {
    const found = this.#functions.get(name);
    if (found === undefined) throw new Error(`No function ${name} in the catalogue`);
    return found;
  }

  #create(
    declaration: FunctionDeclaration,
    code: Code,
    surroundings: FunctionSurroundings,
  ): ServiceFunction {
    const { config } = surroundings;
    const serviceFunction = new ServiceFunction(this.#scopeOf(declaration), declaration.name, {
      declaration,
      code,
      environment: environmentOf(declaration, surroundings),
      config,
      reservedConcurrency: reservedConcurrencyOf(declaration, config),
    });
    if (declaration.sendsEmail) assertDoubtOutlastsSend(config);
    grantDeclared(serviceFunction, declaration, surroundings);
    return serviceFunction;
  }

  #scopeOf({ stack: name }: FunctionDeclaration): Construct {
    if (name === undefined) return this;
    const stack = this.#endpointStacks.get(name) ?? new EndpointStack(this, name);
    this.#endpointStacks.set(name, stack);
    return stack;
  }
}

function grantDeclared(
  { role }: ServiceFunction,
  declaration: FunctionDeclaration,
  surroundings: FunctionSurroundings,
): void {
  const { table, secrets, configurationSet, webhookQueue, testEventQueue } = surroundings;
  const { attachmentsBucket, entitlements } = surroundings;
  if (declaration.tableActions.length > 0) grantTableAccess(role, table, declaration);
  if (declaration.admitsKeys) grantNoteOfKeyUse(role, table);
  if (declaration.notesRefusals) grantNoteOfRefusals(role, table);
  if (declaration.countsChanges) grantCountOfChanges(role, table);
  if (declaration.signsIn) grantSignIn(role, table);
  if (declaration.notesUse) grantNoteOfUse(role, table);
  if (declaration.writesAudit) grantAuditEntries(role, table);
  for (const name of declaration.readsSecrets ?? []) grantReadSecret(role, secrets[name].secretArn);
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

/** Else a retry could send again while the first attempt is still talking to SES. */
function assertDoubtOutlastsSend({ doubtWindowSeconds }: DeploymentConfig): void {
  const longestSeconds = (longestAttemptMs + longestCallMs) / 1_000;
  if (doubtWindowSeconds > longestSeconds) return;
  throw new Error(
    `doubtWindowSeconds (${doubtWindowSeconds}) must exceed the ${longestSeconds} s that a send and its call to SES may take`,
  );
}

import { NestedStack, Stack } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import type { EndpointStackName } from '#shared/endpoints/lambda';

/**
 * Functions, roles, log groups and routes of one subject's endpoints. CloudFormation allows 500 resources per stack,
 * and the service's own stack is for what must exist once.
 */
export class EndpointStack extends NestedStack {
  constructor(scope: Construct, name: EndpointStackName) {
    super(scope, name, { description: `Transactional email service: ${name}` });
    // Names of its functions and log groups start with this id: "EmailService-Templates-…".
    const { scope: service = scope } = scope.node;
    this.nestedStackResource?.overrideLogicalId(`${logicalPrefixOf(service)}${name}`);
  }

  deployAfter({ nestedStackResource: earlier }: EndpointStack): void {
    if (earlier !== undefined) this.nestedStackResource?.addDependency(earlier);
  }
}

/**
 * API Gateway allows 10 calls a second that create or change something, with a burst of 40, per account and Region (API
 * Gateway guide, "Amazon API Gateway quotas", "Total operations"). CloudFormation creates everything without
 * dependencies at once, and an integration that is throttled too often fails the deployment.
 */
const integrationsAtOnce = 40;

type Sized = { readonly stack: EndpointStack; readonly integrations: number };

/**
 * Stacks that fit into that limit together are deployed in parallel, one such wave after another. One stack at a time
 * would take eleven times as long as the slowest stack; four waves take four times as long.
 */
export function chainInWaves(stacks: readonly Sized[]): void {
  const waves: Sized[][] = [];
  for (const one of stacks.toSorted((a, b) => b.integrations - a.integrations)) {
    const wave = waves.find((others) => sizeOf([...others, one]) <= integrationsAtOnce);
    if (wave === undefined) waves.push([one]);
    else wave.push(one);
  }
  for (const [index, wave] of waves.entries()) {
    const before = waves[index - 1] ?? [];
    for (const { stack } of wave) {
      for (const earlier of before) stack.deployAfter(earlier.stack);
    }
  }
}

const sizeOf = (stacks: readonly Sized[]): number =>
  stacks.reduce((sum, { integrations }) => sum + integrations, 0);

/** Distinguishes names from others in the same stack; empty in the service's own stack. */
export function logicalPrefixOf(service: IConstruct): string {
  const { scopes } = service.node;
  return scopes
    .slice(scopes.indexOf(Stack.of(service)) + 1)
    .map(({ node }) => (node.id === 'Default' ? '' : node.id.replaceAll(/[^A-Za-z0-9]/g, '')))
    .join('');
}

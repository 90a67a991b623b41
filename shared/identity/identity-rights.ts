// What functions may do that look after domains and SES tenants.

export const looksAfterDomains = [
  'GetEmailIdentity',
  'CreateEmailIdentity',
  'TagResource',
  'PutEmailIdentityFeedbackAttributes',
  'PutEmailIdentityMailFromAttributes',
  'DeleteEmailIdentity',
] as const;

/** A domain has one owner, claims and a lease. Who becomes the owner must still want it. */
export const changesDomains = [
  'BatchGetItem',
  'Query',
  'ConditionCheckItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
] as const;

/** An organization becomes a tenant with its domain, and loses the domain before SES does. */
export const looksAfterTenants = [
  'CreateTenant',
  'GetTenant',
  'GetReputationEntity',
  'PutTenantSuppressionAttributes',
  'CreateTenantResourceAssociation',
  'DeleteTenantResourceAssociation',
] as const;

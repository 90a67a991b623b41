let isOut = false;

/** The AWS account as the overview or a domain's page has just shown it; one that can't be read says nothing. */
export function noteAccount(account: { readonly hasProductionAccess: boolean } | null | undefined) {
  if (account) isOut = account.hasProductionAccess;
}

/** Whether the AWS account has been seen out of the SES sandbox. */
export const isOutOfSandbox = (): boolean => isOut;

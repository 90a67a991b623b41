let isOut = false;

/** The AWS account that the overview or a domain's page has just shown. One that couldn't be read changes nothing. */
export function noteAccount(account: { readonly hasProductionAccess: boolean } | null | undefined) {
  if (account) isOut = account.hasProductionAccess;
}

/** Whether the AWS account was last seen out of the SES sandbox. */
export const isOutOfSandbox = (): boolean => isOut;

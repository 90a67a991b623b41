import { Audit } from './audit.tsx';
import { FooterSettings } from './footer.tsx';
import { IdentityPage } from './identity.tsx';
import { Keys } from './keys.tsx';
import { Notices } from './notices.tsx';
import { Policies } from './policies.tsx';
import { GeneralSettings } from './settings.tsx';
import { UsageFigures } from './usage.tsx';

/** Small pages that share their parts: loaded as one file they are smaller than as eight. */
export const settingsPages = {
  Audit,
  FooterSettings,
  GeneralSettings,
  IdentityPage,
  Keys,
  Notices,
  Policies,
  UsageFigures,
};

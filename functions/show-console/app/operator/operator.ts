import { Claims } from './claims.tsx';
import { Costs } from './costs.tsx';
import { OrganizationPage } from './organization.tsx';
import { Organizations } from './organizations.tsx';

/** The pages of those who operate the deployment. Nobody else loads them. */
export const operatorPages = { Claims, Costs, OrganizationPage, Organizations };

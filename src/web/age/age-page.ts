import type { AgeWay, Confirmation, Region } from '#domain/age/rules.ts';
import type { QrPath } from '#formats/qr-path.ts';

/** Facts for the pages of the check, which are made for one browser. */
export type AgePage = {
  /** The region that the site sees; undefined: unknown. */
  region: Region | undefined;
  /** The end of a proof that is given now; undefined: none. */
  until: Date | undefined;
  /** The answer that this device keeps. */
  kept: Confirmation | undefined;
  /** On offer now. */
  ways: readonly AgeWay[];
  /** The end of the request. */
  expiresAt?: Date;
  provider?: { name: string; host: string } | undefined;
  wallet?:
    | {
        link: string;
        code: QrPath;
        /** For browsers that ask wallets themselves. */
        requests: readonly { protocol: string; data: object }[];
      }
    | undefined;
};

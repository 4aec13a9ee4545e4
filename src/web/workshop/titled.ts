import { pageMeta } from '../page-meta.ts';

type MetaArgs<Data> = Parameters<typeof pageMeta>[0] & { loaderData: Data | undefined };

/** Metadata of a page of Studio or Admin that is named by its data. */
export function titled<Data>(titleOf: (data: Data) => string) {
  return ({ loaderData, ...args }: MetaArgs<Data>) => {
    const title = loaderData && titleOf(loaderData);
    return pageMeta(args, title === undefined ? undefined : { title, description: title, index: 'no' });
  };
}

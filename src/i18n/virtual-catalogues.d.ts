declare module 'virtual:catalogues' {
  const catalogues: Record<string, Record<string, string> | undefined>;
  export default catalogues;
}

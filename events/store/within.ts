/**
 * What `asked` answers, if it does so within `ms`.
 *
 * @throws what `late` returns, after `ms`
 */
export const within = async <Result>(ms: number, asked: Promise<Result>, late: () => Error): Promise<Result> => {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  try {
    return await Promise.race([asked, timeout]);
  } finally {
    clearTimeout(timer);
  }
};

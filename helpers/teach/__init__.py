"""The instructor's and author's side. Only this package, the tests and the nbval plugin ever reach `solutions/`."""

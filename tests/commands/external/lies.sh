echo "s SATISFIABLE"
echo "v 1 2 3 4 5 6 7 8 9 10 0"
